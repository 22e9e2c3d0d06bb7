import { isDeepStrictEqual } from 'node:util';
import { recordAction } from '@vuka/access/audit-trail';
import type { Caller } from '@vuka/access/caller';
import { mustReplace } from '@vuka/access/changed-meanwhile';
import { type Act, type ProposalRow, propose, supersedeProposals } from '@vuka/access/proposals';
import type { AuditAction } from '@vuka/contracts/http/audit-actions';
import type {
  NotificationSettingsReplacement,
  SystemSettings,
  SystemSettingsReplacement,
} from '@vuka/contracts/http/settings';
import { AppError } from '@vuka/service-kit/app-error';
import { sql } from 'kysely';
import type { Db, Transaction } from '#db/schema.ts';
import { type Limits, limitsAsked, limitsNamedBy, splitLimits } from './limit.domain.ts';
import {
  findLimits,
  findNotificationSettings,
  findSystemSettings,
  lockSettings,
  publishSettings,
} from './settings.store.ts';

export interface SaveSettingsDeps {
  db: Db;
  now: () => Date;
  kickRelay: () => void;
}

/** The subject of proposed approval limits. */
export const LIMIT_PROPOSALS = 'limits';

export const SYSTEM = { source: '/vuka/admin', subject: { kind: 'settings' as const, id: 'system' } };

export type LimitProposalRow = ProposalRow<Partial<Limits>>;

interface Saved {
  /** The settings in force. */
  settings: SystemSettings;
  /** The raised limits that wait for another administrator. */
  proposal?: LimitProposalRow;
}

/**
 * Writes the settings and publishes them, in one transaction; omitted settings are unchanged. A raised limit waits
 * for another administrator, or takes the PIN of the only one. Throws pin_required and changed_meanwhile, with nothing
 * saved.
 */
export async function saveSystemSettings(
  deps: SaveSettingsDeps,
  { replaces, ...asked }: SystemSettingsReplacement,
  caller: Caller,
): Promise<Saved> {
  const act = { caller, at: deps.now() };
  const saved = await deps.db.transaction().execute(async (trx) => {
    await lockSettings(trx);
    const limits = await findLimits(trx);
    if (replaces) {
      mustReplaceShown({ ...columnsOf(await findSystemSettings(trx)), ...limits }, { replaces, asked });
    }
    const { raised, lowered } = splitLimits(limits, limitsAsked(asked));
    const isRaise = Object.keys(raised).length > 0;
    const isAlone = isRaise && caller.isOnlyAdmin;
    if (isAlone && !caller.pinVerified) {
      throw new AppError('approval_limit_raised');
    }
    const changed = isAlone ? { ...raised, ...lowered } : lowered;
    if (Object.keys(changed).length > 0) await supersedeProposals(trx, LIMIT_PROPOSALS, act.at);
    const action = isAlone ? 'settings.limits-raised-alone' : 'settings.system-changed';
    const settings = await write(trx, { ...columnsOf(asked), ...changed }, { ...act, action });
    if (!isRaise || isAlone) return { settings };
    return { settings, proposal: await proposeLimits(trx, { limits, raised }, act) };
  });
  deps.kickRelay();
  return saved;
}

type Columns = Limits & ReturnType<typeof columnsOf>;

/**
 * Refuses to overwrite what another administrator has changed. A repeat, whose first answer was lost, finds all of what
 * it wants in force, or all but the raised limits, which wait. Throws changed_meanwhile.
 */
function mustReplaceShown(inForce: Columns, { replaces, asked }: Record<'replaces' | 'asked', SystemSettings>): void {
  // Omitted limits are unchanged.
  const shown = { ...inForce, ...columnsOf(replaces), ...limitsAsked(replaces) };
  const wanted = { ...shown, ...columnsOf(asked), ...limitsAsked(asked) };
  const { raised } = splitLimits(shown, limitsAsked(asked));
  const isRepeat = isDeepStrictEqual({ ...wanted, ...limitsNamedBy(shown, raised) }, inForce);
  if (!isRepeat) mustReplace({ inForce, replaces: shown, wanted });
}

const columnsOf = (settings: SystemSettings) => ({
  system_name: settings.systemName,
  support_email: settings.supportEmail,
  max_pin_attempts: settings.maxPinAttempts,
  auto_logout_minutes: settings.autoLogoutMinutes,
});

/** Writes columns of the system settings with their author, publishes all settings, and returns them. */
export async function write(
  trx: Transaction,
  columns: Partial<Columns>,
  { caller, at, action, facts = {} }: Act & { action: AuditAction; facts?: Record<string, unknown> },
): Promise<SystemSettings> {
  const before = await findSystemSettings(trx);
  const { updated_at: changedAt } = await trx
    .updateTable('settings')
    .set({ ...columns, updated_by: caller.userId, updated_at: laterThanLast(at) })
    .returning('updated_at')
    .executeTakeFirstOrThrow();
  const after = await publishSettings(trx, changedAt ?? at);
  await recordAction(trx, { ...SYSTEM, caller, action, before, after: { ...after, ...facts } }, at);
  return after;
}

/**
 * Services apply the settings with the latest time, so this never goes back, even if the clock does. In whole
 * milliseconds, as messages carry it.
 */
const laterThanLast = (at: Date) => sql<Date>`greatest(${at}, updated_at + interval '1 millisecond')`;

async function proposeLimits(
  trx: Transaction,
  { limits, raised }: { limits: Limits; raised: Partial<Limits> },
  act: Act,
): Promise<LimitProposalRow> {
  const change = { before: limitsNamedBy(limits, raised), after: raised };
  const { proposal, isNew } = await propose(trx, { ...change, subject: LIMIT_PROPOSALS }, act);
  if (isNew) {
    await recordAction(trx, { ...SYSTEM, ...change, caller: act.caller, action: 'settings.limits-proposed' }, act.at);
  }
  return proposal;
}

/** Throws changed_meanwhile, with nothing saved. */
export async function saveNotificationSettings(
  deps: SaveSettingsDeps,
  { replaces, ...settings }: NotificationSettingsReplacement,
  caller: Caller,
): Promise<void> {
  const at = deps.now();
  await deps.db.transaction().execute(async (trx) => {
    await lockSettings(trx);
    const before = await findNotificationSettings(trx);
    mustReplace({ inForce: before, replaces, wanted: settings });
    await trx
      .updateTable('settings')
      .set({
        email_notifications: settings.emailNotifications,
        sms_notifications: settings.smsNotifications,
        login_alerts: settings.loginAlerts,
        transaction_alerts: settings.transactionAlerts,
        updated_by: caller.userId,
        updated_at: laterThanLast(at),
      })
      .execute();
    const subject = { kind: 'settings' as const, id: 'notification' };
    const change = { action: 'settings.notification-changed' as const, subject, before, after: settings };
    await recordAction(trx, { source: '/vuka/admin', caller, ...change }, at);
  });
  deps.kickRelay();
}
