import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import type { CallbackAnswer, ProviderCallback } from '@vuka/contracts/internal/transfers';
import { recordSpan } from '@vuka/service-kit/tracing';
import type { TransferRow } from '#db/schema.ts';
import { type PayoutOfTransfer, toLog } from '#payouts/payout.store.ts';
import type { PayoutReport, ProviderCall } from '#payouts/payout-provider.ts';
import type { RefusalLog } from '#payouts/refusal-log.ts';
import { applyToCurrent } from './apply-report.ts';
import { followHint } from './follow-hint.ts';
import type { SagaDeps } from './step.ts';

export interface ReceiveCallbackDeps extends SagaDeps {
  refusals: RefusalLog;
  /** Advances a transfer after its callback has been answered; the sweep picks up anything this misses. */
  advanceSoon: (transfer: TransferRow) => void;
}

/**
 * Verifies a provider's callback, commits what it reports, and only then answers 200, so nothing acknowledged is lost.
 * What a callback that is not trusted reports is not believed: the provider is asked. Throws when the commit fails, so that the
 * provider sends the callback again.
 */
export async function receiveCallback(deps: ReceiveCallbackDeps, callback: ProviderCallback): Promise<CallbackAnswer> {
  if (callback.provider !== deps.provider.id) return { status: 404 };
  const calls: ProviderCall[] = [];
  const result = await deps.provider.readCallback(
    {
      method: callback.method,
      path: callback.path,
      headers: callback.headers,
      rawBody: Buffer.from(callback.bodyBase64, 'base64'),
    },
    (call) => calls.push(call),
  );
  if (!result.ok) {
    deps.refusals.note(result.reason);
    return result.answer;
  }
  for (const report of result.reports) {
    if (result.isTrusted) await apply(deps, report, calls);
    else await ask(deps, report, calls);
  }
  return result.answer;
}

async function apply(deps: ReceiveCallbackDeps, report: PayoutReport, calls: ProviderCall[]): Promise<void> {
  const startMs = Date.now();
  const applied = await applyToCurrent(deps, { report, isInquiry: false, callsOf: logsOf(deps, calls) });
  if (!applied) {
    deps.logger.warn({ payoutId: report.clientPayoutId }, 'ignored a callback about an unknown payout');
    return;
  }
  const { transfer, isLate } = applied;
  recordSpan(transfer.id, { name: 'commit the callback', kind: 'server', startMs, endMs: Date.now() });
  if (!isLate) deps.advanceSoon(transfer);
}

/** Has the provider asked about the payout of a report that is not trusted. */
async function ask(deps: ReceiveCallbackDeps, report: PayoutReport, calls: ProviderCall[]): Promise<void> {
  const due = await followHint(deps, report.clientPayoutId, logsOf(deps, calls));
  if (due) deps.advanceSoon(due);
}

/** The calls as logs of a payout: the same logs on every try, so that they are recorded once. */
function logsOf({ now }: ReceiveCallbackDeps, calls: ProviderCall[]) {
  let logs: IntegrationLog[] | undefined;
  return ({ transfer, payout }: PayoutOfTransfer): IntegrationLog[] => {
    logs ??= calls.map((call) => toLog(call, { transferId: transfer.id, payoutId: payout.id }, now()));
    return logs;
  };
}
