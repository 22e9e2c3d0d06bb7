import { BALANCES_KEY, TRANSACTIONS_KEY } from '#shared/api/keys.ts';
import '#shared/i18n/account-refusals.ts';
import { useStore } from '@nanostores/react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { LinkedAccount } from '@vuka/contracts/http/linked-accounts';
import { CreatedWithdrawal, type CreateWithdrawal, type Withdrawal } from '@vuka/contracts/http/withdrawals';
import { Wallet } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { linkedAccountsQuery, WITHDRAWAL_PRICE_KEY } from '#shared/api/withdrawals.api.ts';
import { ApiError, callApi, errorMessage } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { type Submitted, submitOnce } from '#shared/submission-key.ts';
import { showError } from '#shared/toast-store.ts';
import { buttonClass } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { EmptyState } from '#shared/ui/empty-state.tsx';
import { LoadError } from '#shared/ui/load-error.tsx';
import { Page } from '#shared/ui/page.tsx';
import { PageSpinner } from '#shared/ui/spinner.tsx';
import { useConfirmStep } from '#shared/use-confirm-step.ts';
import { ConfirmWithdrawal } from './confirm-withdrawal.tsx';
import { WithdrawalDetails, type WithdrawalDraft } from './withdrawal-details.tsx';
import { announceWithdrawal, WithdrawalDone } from './withdrawal-done.tsx';
import { orderOf, WITHDRAWAL, type WithdrawalOrder } from './withdrawal-order.ts';

const MESSAGES = i18n('withdraw', {
  title: 'Withdraw',
  back: 'Back to the dashboard',
  failed: 'Withdrawal failed',
  accountsFailed: 'Your accounts could not be loaded',
  noAccount: 'Link an account first',
  noAccountDetail: 'Withdrawals go to your own phone or bank account, which you link with your PIN.',
  link: 'Link an account',
});

type Order = WithdrawalOrder & Pick<CreateWithdrawal, 'fee' | 'pin'>;

/**
 * The same amount to the same account keeps its key until an outcome is known, whatever the fee: it is never taken
 * twice.
 */
function withdraw({ pin, fee, ...order }: Order): Promise<Submitted<Withdrawal>> {
  const send = async (clientTransactionId: string): Promise<Withdrawal> => {
    const body = { ...order, ...(fee === undefined ? {} : { fee }), pin, clientTransactionId };
    return (await callApi('/api/withdrawals', CreatedWithdrawal, { method: 'POST', body })).withdrawal;
  };
  return submitOnce(WITHDRAWAL, order, send, isEnded);
}

/** The key has led to an outcome: the next request is another withdrawal. */
function isEnded(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 422 || error.code === 'idempotency_conflict');
}

function useWithdraw(onDone: (submitted: Submitted<Withdrawal>) => void) {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  return useMutation({
    mutationFn: withdraw,
    meta: { silent: true },
    onSuccess(submitted) {
      void client.invalidateQueries({ queryKey: TRANSACTIONS_KEY });
      onDone(submitted);
    },
    onError(error) {
      if (error instanceof ApiError && error.code === 'fee_changed') {
        void client.invalidateQueries({ queryKey: WITHDRAWAL_PRICE_KEY });
      }
      showError(t.failed, errorMessage(error));
    },
    onSettled: () => client.invalidateQueries({ queryKey: BALANCES_KEY }),
  });
}

/** Loads the accounts that money can be withdrawn to, without which nothing can be. */
export function Withdraw() {
  const t = useStore(MESSAGES);
  const { data, error, refetch } = useQuery(linkedAccountsQuery());
  const [first, ...others] = data ?? [];
  if (first) return <Steps accounts={[first, ...others]} />;
  return (
    <Frame>
      {data ? <NoAccount /> : null}
      {!data && error ? (
        <Card>
          <LoadError title={t.accountsFailed} detail={errorMessage(error)} onRetry={() => void refetch()} />
        </Card>
      ) : null}
      {!data && !error ? <PageSpinner /> : null}
    </Frame>
  );
}

/** Details, then confirmation with the PIN, then the result. */
function Steps({ accounts }: { accounts: [LinkedAccount, ...LinkedAccount[]] }) {
  // The wallet that the page was opened from.
  const location = useLocation() as { state: { currency?: string } | null };
  const [draft, setDraft] = useState<WithdrawalDraft>({ accountId: '', amount: '' });
  const [done, setDone] = useState<Submitted<Withdrawal>>();
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const withdrawing = useWithdraw((submitted) => {
    if (!isOpen.current) announceWithdrawal(submitted);
    setDone(submitted);
    setDraft({ accountId: draft.accountId, amount: '' });
  });
  const chosen = accounts.find(({ id }) => id === draft.accountId);
  // The withdrawal goes only to the reviewed account, even if the order of the list changes.
  const step = useConfirmStep<{ accountId: string }>({
    isValid: chosen !== undefined && draft.amount !== '',
    isSending: withdrawing.isPending,
    onLeave: withdrawing.reset,
  });
  if (step.reviewed && chosen) {
    return (
      <ConfirmWithdrawal
        account={chosen}
        amount={draft.amount}
        error={withdrawing.error}
        isSending={withdrawing.isPending}
        onBack={step.close}
        onConfirm={({ pin, fee }) => {
          withdrawing.mutate({ ...orderOf(chosen, draft.amount), fee, pin });
        }}
      />
    );
  }
  if (done) {
    return (
      <Frame>
        <WithdrawalDone withdrawal={done.answer} isRepeat={done.isRepeat} onAgain={() => setDone(undefined)} />
      </Frame>
    );
  }
  const account = chosen ?? accounts.find(({ currency }) => currency === location.state?.currency) ?? accounts[0];
  return (
    <Frame headingRef={step.detailsRef}>
      <WithdrawalDetails
        accounts={accounts}
        account={account}
        amount={draft.amount}
        onChange={(changes) => setDraft((latest) => ({ ...latest, ...changes }))}
        onReview={() => {
          setDraft({ ...draft, accountId: account.id });
          step.open({ accountId: account.id });
        }}
      />
    </Frame>
  );
}

interface FrameProps {
  headingRef?: RefObject<HTMLHeadingElement | null>;
  children: ReactNode;
}

/** The page of every step but the confirmation, which has its own. */
function Frame({ headingRef, children }: FrameProps) {
  const t = useStore(MESSAGES);
  return (
    <Page
      title={t.title}
      width="split"
      {...(headingRef ? { headingRef } : {})}
      back={{ to: PATHS.dashboard, label: t.back }}
    >
      {children}
    </Page>
  );
}

function NoAccount() {
  const t = useStore(MESSAGES);
  return (
    <Card>
      <EmptyState
        Icon={Wallet}
        title={t.noAccount}
        detail={t.noAccountDetail}
        action={
          <Link to={PATHS.accounts} state={{ isLinking: true }} className={buttonClass('primary')}>
            {t.link}
          </Link>
        }
      />
    </Card>
  );
}
