import { ApiError } from '#shared/api-client.ts';

/** Whether a change was refused because another administrator has changed the same values since they were shown. */
export const isChangedMeanwhile = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'changed_meanwhile';
