import type { AuditAction } from '@vuka/contracts/http/audit-actions';
import { ACTION_RECORDED, type ActionRecorded } from '@vuka/contracts/messages/audit';
import { EVENTS } from '@vuka/contracts/topology';
import { cloudEvent } from '@vuka/service-kit/cloud-event';
import { maskSecrets } from '@vuka/service-kit/mask-secrets';
import { appendToOutbox, type OutboxMessage, type OutboxSchema } from '@vuka/service-kit/outbox';
import type { Transaction } from 'kysely';
import type { Caller } from './caller.ts';

type Facts = Record<string, unknown>;

/** An administrator's action, as the service that carried it out records it. */
export interface AdminAction {
  /** The service that owns the subject, such as `/vuka/rates`. */
  source: string;
  caller: Pick<Caller, 'userId' | 'adminId' | 'name' | 'address' | 'requestId'>;
  action: AuditAction;
  subject: Pick<ActionRecorded['subject'], 'kind' | 'id'> & { label?: string };
  reason?: string;
  before?: Facts;
  after?: Facts;
}

/**
 * Writes an action for the audit trail into the outbox, in the action's own transaction. Kick the relay after the
 * commit.
 */
export async function recordAction<Schema extends OutboxSchema>(
  trx: Transaction<Schema>,
  action: AdminAction,
  now: Date,
): Promise<void> {
  await appendToOutbox(trx, [actionMessage(action, now)]);
}

/** The message that `recordAction` writes, for callers that write it together with other messages. */
export function actionMessage({ source, caller, subject, ...action }: AdminAction, now: Date): OutboxMessage {
  const data: ActionRecorded = {
    actor: { userId: caller.userId, adminId: caller.adminId, name: caller.name },
    address: caller.address ?? null,
    action: action.action,
    subject: { kind: subject.kind, id: subject.id, label: subject.label ?? null },
    reason: action.reason ?? null,
    before: masked(action.before),
    after: masked(action.after),
    requestId: caller.requestId,
    at: now.toISOString(),
  };
  const envelope = cloudEvent({ source, type: ACTION_RECORDED, subject: subject.id, data }, now);
  return { exchange: EVENTS, envelope };
}

const masked = (facts: Facts | undefined): Facts | null => (facts ? (maskSecrets(facts) as Facts) : null);
