import { ACTION_RECORDED, ActionRecorded } from '@vuka/contracts/messages/audit';
import { claimInbox } from '@vuka/service-kit/inbox';
import type { Delivery, Disposition } from '@vuka/service-kit/messaging/message-bus';
import type { Db } from '#db/schema.ts';

export const AUDIT_QUEUE = 'admin.audit-trail';

export interface RecordActionsDeps {
  db: Db;
  /** Called once per entry, after it was written. */
  onRecorded: (action: string) => void;
}

/** Adds an administrator's action to the trail, once, from any service. */
export async function recordActions(
  { db, onRecorded }: RecordActionsDeps,
  { envelope }: Delivery,
): Promise<Disposition> {
  const action = ActionRecorded.safeParse(envelope.data);
  if (envelope.type !== ACTION_RECORDED || !action.success) return { kind: 'dead', reason: 'not a recorded action' };
  const { actor, subject, before, after, ...rest } = action.data;
  const isNew = await db.transaction().execute(async (trx) => {
    const fresh = await claimInbox(trx, AUDIT_QUEUE, [envelope.id]);
    if (fresh.size === 0) return false;
    await trx
      .insertInto('audit_trail')
      .values({
        id: envelope.id,
        at: new Date(rest.at),
        actor_user_id: actor.userId,
        actor_id: actor.adminId,
        actor_name: actor.name,
        address: rest.address,
        action: rest.action,
        subject_kind: subject.kind,
        subject_id: subject.id,
        subject_label: subject.label,
        reason: rest.reason,
        before: before && JSON.stringify(before),
        after: after && JSON.stringify(after),
        request_id: rest.requestId,
      })
      .execute();
    return true;
  });
  if (isNew) onRecorded(rest.action);
  return { kind: 'ack' };
}
