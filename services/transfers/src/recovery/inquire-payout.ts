import { type AdminAction, recordAction } from '@vuka/access/audit-trail';
import type { Caller } from '@vuka/access/caller';
import type { ProviderInquiry } from '@vuka/contracts/http/recovery';
import { AppError } from '@vuka/service-kit/app-error';

import { getTransferFor, type TransferReader } from '#history/list-transfers.ts';
import { inquire } from '#payouts/payout.store.ts';
import type { StatusResult } from '#payouts/payout-provider.ts';
import type { SagaDeps } from '#saga/step.ts';

export interface InquireDeps extends TransferReader, Pick<SagaDeps, 'payouts' | 'provider' | 'now'> {
  kickRelay: () => void;
}

/**
 * Asks the provider for a payout's status. The answer changes nothing by itself: a retry or the next poll applies it.
 * Throws not_found, also for a transfer without a payout.
 */
export async function inquirePayout(deps: InquireDeps, id: string, caller: Caller): Promise<ProviderInquiry> {
  const transfer = await getTransferFor(deps, id, caller);
  const payout = await deps.payouts.submit(transfer.id);
  if (!payout) throw new AppError('payout_not_found');
  const result = await inquire(deps, { transferId: transfer.id, payoutId: payout.id });
  const inquiry = { askedAt: deps.now().toISOString(), ...toAnswer(result) };
  const action: AdminAction = {
    source: '/vuka/transfers',
    caller,
    action: 'transfer.inquired',
    subject: { kind: 'transfer' as const, id: transfer.id },
    after: inquiry,
  };
  await deps.db.transaction().execute((trx) => recordAction(trx, action, deps.now()));
  deps.kickRelay();
  return inquiry;
}

function toAnswer(result: StatusResult): Omit<ProviderInquiry, 'askedAt'> {
  switch (result.kind) {
    case 'found': {
      const { state, failure, providerReference } = result.report;
      return { answer: 'found', state, failureCode: failure?.code ?? null, detail: providerReference ?? null };
    }
    case 'not_found':
      return { answer: 'not_found', state: null, failureCode: null, detail: null };
    case 'ambiguous':
      return { answer: 'no_clear_answer', state: null, failureCode: null, detail: result.reason };
  }
}
