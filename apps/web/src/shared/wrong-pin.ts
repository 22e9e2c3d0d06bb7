import { ApiError } from '#shared/api-client.ts';

/** Whether the server refused the PIN, which counts towards the lock. */
export function isWrongPin(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'invalid_pin';
}
