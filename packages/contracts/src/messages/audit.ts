import * as z from 'zod/mini';
import { Id, Timestamp } from '../http/common.ts';

export const ACTION_RECORDED = 'admin.action-recorded.v1';

/** What an action was done to. `label` is what people call it. */
export const ActionSubject = z.object({
  kind: z.enum([
    'user',
    'deposit',
    'rates',
    'settings',
    'transfer',
    'queue',
    'logs',
    'fees',
    'withdrawal',
    'reconciliation',
    'exception',
    'simulator',
    'api_key',
  ]),
  id: z.string(),
  label: z.nullable(z.string()),
});

/**
 * An administrator did something: who, from where, to what, and how it stood before and after. The id of the event is
 * the id of the entry. It holds no PIN and no secret.
 */
export const ActionRecorded = z.object({
  actor: z.object({ userId: Id, adminId: z.nullable(z.string()), name: z.string() }),
  /** The client's network address as the gateway saw it. */
  address: z.nullable(z.string()),
  /** `<noun>.<what was done>`, such as `rates.updated`. */
  action: z.string().check(z.minLength(1), z.maxLength(100)),
  subject: ActionSubject,
  reason: z.nullable(z.string()),
  before: z.nullable(z.record(z.string(), z.unknown())),
  after: z.nullable(z.record(z.string(), z.unknown())),
  requestId: z.string(),
  at: Timestamp,
});
export type ActionRecorded = z.infer<typeof ActionRecorded>;
