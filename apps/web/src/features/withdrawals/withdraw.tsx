import { BALANCES_KEY, TRANSACTIONS_KEY } from '#shared/api/keys.ts';
import '#shared/i18n/account-refusals.ts';
import { useStore } from '@nanostores/react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CreatedWithdrawal, type CreateWithdrawal, type Withdrawal } from '@vuka/contracts/http/withdrawals';
import { Wallet } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { linkedAccountsQuery, WITHDRAWAL_PRICE_KEY } from '#shared/api/withdrawals.api.ts';
import { ApiError, callApi, errorMessage } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { releaseSubmissionKey, submitOnce } from '#shared/submission-key.ts';
import { showError } from '#shared/toast-store.ts';
import { buttonClass } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { EmptyState } from '#shared/ui/empty-state.tsx';
import { LoadError } from '#shared/ui/load-error.tsx';
import { PageSpinner } from '#shared/ui/spinner.tsx';
import { ConfirmWithdrawal } from './confirm-withdrawal.tsx';
import { WithdrawalDetails, type WithdrawalDraft } from './withdrawal-details.tsx';
import { WithdrawalDone } from './withdrawal-done.tsx';

const MESSAGES = i18n('withdraw', {
  failed: 'Withdrawal failed',
  accountsFailed: 'Your accounts could not be loaded',
  noAccount: 'Link an account first',
  noAccountDetail: 'Withdrawals go to your own phone or bank account, which you link with your PIN.',
  link: 'Link an account',
});

const WITHDRAWAL = 'withdrawal';

type Order = Omit<CreateWithdrawal, 'clientTransactionId'>;

/**
 * The same amount to the same account keeps its key until an outcome is known, whatever the fee: it is never taken
 * twice.
 */
function withdraw({ pin, fee, ...order }: Order): Promise<Withdrawal> {
  return submitOnce(WITHDRAWAL, order, async (clientTransactionId) => {
    const body = { ...order, ...(fee === undefined ? {} : { fee }), pin, clientTransactionId };
    return (await callApi('/api/withdrawals', CreatedWithdrawal, { method: 'POST', body })).withdrawal;
  });
}

/** The key has led to an outcome: the next request is another withdrawal. */
function isEnded(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 422 || error.code === 'idempotency_conflict');
}

function useWithdraw(onDone: (withdrawal: Withdrawal) => void) {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  return useMutation({
    mutationFn: withdraw,
    meta: { silent: true },
    onSuccess(withdrawal) {
      void client.invalidateQueries({ queryKey: TRANSACTIONS_KEY });
      onDone(withdrawal);
    },
    onError(error) {
      if (isEnded(error)) releaseSubmissionKey(WITHDRAWAL);
      if (error instanceof ApiError && error.code === 'fee_changed') {
        void client.invalidateQueries({ queryKey: WITHDRAWAL_PRICE_KEY });
      }
      showError(t.failed, errorMessage(error));
    },
    onSettled: () => client.invalidateQueries({ queryKey: BALANCES_KEY }),
  });
}

/** Details, then confirmation with the PIN, then the result. */
export function Withdraw() {
  const t = useStore(MESSAGES);
  // The wallet that the page was opened from.
  const location = useLocation() as { state: { currency?: string } | null };
  const accounts = useQuery(linkedAccountsQuery());
  const [draft, setDraft] = useState<WithdrawalDraft>({ accountId: '', amount: '' });
  /** The reviewed account: the withdrawal goes only there, even if the order of the list changes. */
  const [reviewedId, setReviewedId] = useState<string>();
  const [done, setDone] = useState<Withdrawal>();
  const withdrawing = useWithdraw((withdrawal) => {
    setDone(withdrawal);
    setReviewedId(undefined);
    setDraft({ accountId: draft.accountId, amount: '' });
  });
  if (!accounts.data) {
    return accounts.error ? (
      <Card>
        <LoadError
          title={t.accountsFailed}
          detail={errorMessage(accounts.error)}
          onRetry={() => void accounts.refetch()}
        />
      </Card>
    ) : (
      <PageSpinner />
    );
  }
  const account =
    accounts.data.find(({ id }) => id === draft.accountId) ??
    accounts.data.find(({ currency }) => currency === location.state?.currency) ??
    accounts.data[0];
  if (!account) return <NoAccount />;
  if (done) return <WithdrawalDone withdrawal={done} onAgain={() => setDone(undefined)} />;
  const reviewed = accounts.data.find(({ id }) => id === reviewedId);
  if (reviewed) {
    return (
      <ConfirmWithdrawal
        account={reviewed}
        amount={draft.amount}
        error={withdrawing.error}
        isSending={withdrawing.isPending}
        onBack={() => {
          withdrawing.reset();
          setReviewedId(undefined);
        }}
        onConfirm={({ pin, fee }) =>
          withdrawing.mutate({
            amount: draft.amount,
            currency: reviewed.currency,
            linkedAccountId: reviewed.id,
            fee,
            pin,
          })
        }
      />
    );
  }
  return (
    <WithdrawalDetails
      accounts={accounts.data}
      account={account}
      amount={draft.amount}
      onChange={(changes) => {
        setDraft({ ...draft, ...changes });
        setReviewedId(undefined);
      }}
      onReview={() => {
        setDraft({ ...draft, accountId: account.id });
        setReviewedId(account.id);
      }}
    />
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
          <Link to={PATHS.accounts} className={buttonClass('primary')}>
            {t.link}
          </Link>
        }
      />
    </Card>
  );
}
