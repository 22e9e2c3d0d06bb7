import { useStore } from '@nanostores/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { corridorOf, directionFrom } from '@vuka/money/directions';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { balancesQuery } from '#shared/api/balances.api.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { lazyAgain } from '#shared/lazy-again.ts';
import type { TransferToSend } from '#shared/paths.ts';
import type { SessionUser } from '#shared/session.ts';
import { hasFailed } from '#shared/status-view.ts';
import { Page } from '#shared/ui/page.tsx';
import { PageSpinner } from '#shared/ui/spinner.tsx';
import { useConfirmStep } from '#shared/use-confirm-step.ts';
import { quoteQuery } from './quotes.api.ts';
import { SendDetails } from './send-details.tsx';
import { amountError } from './transfer-details.ts';
import { changeDetails, feeOf } from './transfer-draft.ts';
import { useFundedDirection } from './use-funded-direction.ts';
import { type PriceView, usePrice } from './use-price.ts';
import { loadSending, useSendTransfer } from './use-send-transfer.ts';
import { useTransferDraft } from './use-transfer-draft.ts';

const loadConfirmTransfer = async () => {
  const [{ ConfirmTransfer: component }] = await Promise.all([import('./confirm-transfer.tsx'), loadSending()]);
  return component;
};
const ConfirmTransfer = lazyAgain(loadConfirmTransfer);

const MESSAGES = i18n('send-money', { title: 'Send Money' });

interface SendMoneyProps {
  user: SessionUser;
  /** Rendered above the form after a transfer, given the transfer's id. */
  renderLastTransfer: (id: string) => ReactNode;
}

/** Enters the largest amount that the balance can pay. */
function useFillInAll(
  { readDraft, updateDraft }: Pick<ReturnType<typeof useTransferDraft>, 'readDraft' | 'updateDraft'>,
  balance: string | undefined,
) {
  const client = useQueryClient();
  return async (): Promise<void> => {
    const asked = readDraft();
    const { amountOfAll } = await import('#shared/largest-amount.ts');
    const quote = (amount: string) => client.fetchQuery(quoteQuery({ ...asked, amount }));
    const amount = await amountOfAll(balance ?? '0', async (digits) => feeOf(await quote(digits)));
    // Keep what the user typed in the meantime.
    if (readDraft() === asked) updateDraft(changeDetails(asked, { amount }));
  };
}

export function SendMoney({ user, renderLastTransfer }: SendMoneyProps) {
  const t = useStore(MESSAGES);
  const { state } = useLocation() as { state: Partial<TransferToSend> | null };
  const { sourceCurrency, ...details } = state ?? {};
  const isAsked = sourceCurrency !== undefined;
  const drafts = useTransferDraft({
    userId: user.id,
    direction: directionFrom(sourceCurrency ?? user.defaultCurrency),
    // After a reload or Back the history still has it, and the user may have entered other details since.
    asked: useNavigationType() !== 'POP' && isAsked ? details : undefined,
  });
  const { draft, updateDraft, readDraft } = drafts;
  const [lastId, setLastId] = useState<string>();
  const balances = useQuery(balancesQuery()).data;
  const balance = balances?.balances[corridorOf(draft.direction).source];
  useFundedDirection({
    draft,
    balances,
    currency: user.defaultCurrency,
    isAsked,
    onDirection: (direction) => updateDraft(changeDetails(readDraft(), { direction })),
  });
  const priceView = usePrice(draft, amountError(draft.amount, balance) === undefined);
  const sending = useSendTransfer({
    drafts,
    onSent: ({ id, status }) => setLastId(hasFailed(status) ? undefined : id),
  });
  const refusals = {
    amount: priceView.refusal,
    phone: sending.refusedPhone?.phone === draft.phone ? sending.refusedPhone.reason : undefined,
  };
  // The step keeps the price that the details showed. It closes when there is nothing left to confirm: the draft was
  // sent, here or in another tab, or the server refused the details.
  const step = useConfirmStep<PriceView>({
    isValid: draft.amount !== '' && !refusals.amount && !refusals.phone,
    isSending: sending.isSending,
    onLeave: sending.forgetFailures,
  });
  // Loads the confirm step while the user types. If that fails, it is loaded again when it is needed.
  useEffect(() => void loadConfirmTransfer().catch(() => undefined), []);

  const fillInAll = useFillInAll(drafts, balance);

  if (step.reviewed) {
    return (
      <div className="mx-auto max-w-merchant px-4 pt-2 sm:px-6 lg:max-w-wide">
        <Suspense fallback={<PageSpinner />}>
          <ConfirmTransfer
            username={user.username}
            draft={draft}
            priceView={priceView}
            reviewed={step.reviewed}
            isSending={sending.isSending}
            isSlow={sending.isSlow}
            failureCount={sending.failures.count}
            serverPinError={sending.failures.pinError}
            onBack={step.close}
            onConfirm={sending.send}
          />
        </Suspense>
      </div>
    );
  }
  return (
    <Page title={t.title} width="split" headingRef={step.detailsRef} isTitleHiddenOnPhone>
      {lastId ? <div className="mb-5">{renderLastTransfer(lastId)}</div> : null}
      <SendDetails
        draft={draft}
        wasSentElsewhere={drafts.wasSentElsewhere}
        balance={balance}
        priceView={priceView}
        refusals={refusals}
        onChange={(changes) => updateDraft(changeDetails(readDraft(), changes))}
        onUseAll={fillInAll}
        onReview={() => step.open(priceView)}
      />
    </Page>
  );
}
