import type * as z from 'zod/mini';
import { AuditedAction } from '../http/audit-trail.ts';

export const ACTION_RECORDED = 'admin.action-recorded.v1';

/** An administrator's action. The id of the event becomes the id of the entry. */
export const ActionRecorded = AuditedAction;
export type ActionRecorded = z.infer<typeof ActionRecorded>;
