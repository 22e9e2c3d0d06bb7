import { useStore } from '@nanostores/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { LinkedAccount } from '@vuka/contracts/http/linked-accounts';
import { reason } from '@vuka/contracts/texts/reason';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { balancesQuery } from '#shared/api/balances.api.ts';
import { withdrawalPriceQuery } from '#shared/api/withdrawals.api.ts';
import { accountDetail } from '#shared/format/account.ts';
import { formatExactAmount } from '#shared/format/exact-amount.ts';
import { exceeds } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { amountOfAll } from '#shared/largest-amount.ts';
import { LimitNotice } from '#shared/limits/limit-notice.tsx';
import { PATHS } from '#shared/paths.ts';
import { AmountInput, AvailableBalance } from '#shared/ui/amount-input.tsx';
import { Button } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { Notice } from '#shared/ui/notice.tsx';
import { SelectField } from '#shared/ui/select-field.tsx';
import { StepLayout } from '#shared/ui/step-layout.tsx';
import { useOnline } from '#shared/use-online.ts';
import { isUnansweredOrder, orderOf } from './withdrawal-order.ts';

const MESSAGES = i18n('withdrawal-details', {
  account: 'Withdraw to',
  manage: 'Manage accounts',
  amount: 'Amount',
  fee: 'Fee',
  total: 'Taken from your balance',
  review: 'Review Withdrawal',
  unanswered: 'Your last attempt got no answer',
  unansweredDetail: 'Review and confirm it again: the same withdrawal is never made twice.',
});

export interface WithdrawalDraft {
  accountId: string;
  /** Digits of a whole amount. */
  amount: string;
}

interface WithdrawalDetailsProps {
  accounts: readonly LinkedAccount[];
  account: LinkedAccount;
  amount: string;
  onChange: (changes: Partial<WithdrawalDraft>) => void;
  onReview: () => void;
}

function amountError(amount: string): string | undefined {
  if (amount === '') return reason('amount_missing');
  return BigInt(amount) > 0n ? undefined : reason('amount_not_positive');
}

/** Without the owner's name, which a phone would clip, unless another account looks the same. */
function optionLabel(account: LinkedAccount, accounts: readonly LinkedAccount[]): string {
  const detail = accountDetail(account);
  const isShared = accounts.some((other) => other.id !== account.id && accountDetail(other) === detail);
  return isShared ? `${detail} · ${account.accountName}` : detail;
}

/** The price of exactly this amount, once it has loaded, and whether the balance is enough for it. */
function useAffordable({ id, currency }: LinkedAccount, amount: string) {
  const balance = useQuery(balancesQuery()).data?.balances[currency];
  const query = useQuery({ ...withdrawalPriceQuery(amount, id), enabled: amountError(amount) === undefined });
  const price = query.isPlaceholderData ? undefined : query.data;
  return { balance, price, isTooMuch: balance !== undefined && exceeds(amount, balance, price?.fee) };
}

/** Enters the largest amount that the balance can pay with its fee, unless the user changed the details meanwhile. */
function useAllOf({ id }: LinkedAccount, amount: string, balance: string | undefined, onAll: (digits: string) => void) {
  const client = useQueryClient();
  const details = `${id} ${amount}`;
  const latest = useRef(details);
  useEffect(() => {
    latest.current = details;
  }, [details]);
  return async (): Promise<void> => {
    const feeOf = async (digits: string) => (await client.fetchQuery(withdrawalPriceQuery(digits, id))).fee;
    const all = await amountOfAll(balance ?? '0', feeOf);
    if (latest.current === details) onAll(all);
  };
}

export function WithdrawalDetails({ accounts, account, amount, onChange, onReview }: WithdrawalDetailsProps) {
  const t = useStore(MESSAGES);
  const id = useId();
  const formRef = useRef<HTMLFormElement>(null);
  const [isShown, setIsShown] = useState(false);
  const [isAboveLimit, setIsAboveLimit] = useState(false);
  const isOnline = useOnline();
  const { currency } = account;
  const { balance, price, isTooMuch: exceedsBalance } = useAffordable(account, amount);
  const isRepeat = isUnansweredOrder(orderOf(account, amount));
  // The balance already lacks the money of a withdrawal that was accepted, and the limit counts it.
  const isTooMuch = exceedsBalance && !isRepeat;
  const shown = isShown ? amountError(amount) : undefined;
  const useAll = useAllOf(account, amount, balance, (all) => onChange({ amount: all }));
  const problem = isTooMuch ? reason('insufficient_funds') : shown;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setIsShown(true);
    if (amountError(amount)) formRef.current?.querySelector<HTMLElement>('[name="amount"]')?.focus();
    else if (!isTooMuch) onReview();
  };
  return (
    <form ref={formRef} noValidate className="grid grid-cols-[minmax(0,1fr)] gap-4" onSubmit={submit}>
      <StepLayout
        isResting
        isAsideCentred
        aside={
          <>
            <dl className="nums grid grid-cols-[1fr_auto] gap-y-2 text-small max-lg:rounded-card max-lg:bg-surface max-lg:p-4 max-lg:shadow-1 sm:max-lg:px-5">
              <dt className="text-ink2">{t.fee}</dt>
              <dd className="text-right font-medium">{price ? formatExactAmount(price.fee, currency) : '–'}</dd>
              <dt className="text-ink2">{t.total}</dt>
              <dd className="text-right font-semibold">{price ? formatExactAmount(price.total, currency) : '–'}</dd>
            </dl>
            {isRepeat ? (
              <Notice tone="warn" title={t.unanswered}>
                {t.unansweredDetail}
              </Notice>
            ) : null}
          </>
        }
        action={
          <Button
            type="submit"
            variant={isAboveLimit ? 'secondary' : 'primary'}
            className="w-full"
            disabled={isTooMuch || !isOnline}
          >
            {t.review}
          </Button>
        }
      >
        <Card>
          <div className="px-4 pt-5 sm:px-5">
            <SelectField
              label={t.account}
              name="account"
              value={account.id}
              options={accounts.map((each) => ({ value: each.id, label: optionLabel(each, accounts) }))}
              onChange={(accountId) => onChange({ accountId })}
            />
            <p className="mt-1 flex flex-wrap items-center justify-between gap-x-4 text-small text-ink2">
              {account.accountName}
              <Link
                to={PATHS.accounts}
                className="inline-flex min-h-11 items-center font-semibold text-primary hover:underline"
              >
                {t.manage}
              </Link>
            </p>
          </div>
          <div className="border-t border-line p-4 sm:px-5">
            <label htmlFor={id} className="text-small font-medium text-ink2">
              {t.amount}
            </label>
            <AmountInput
              id={id}
              digits={amount}
              currency={currency}
              error={problem}
              onAmount={(digits) => onChange({ amount: digits })}
            />
            <div className="mt-2 grid gap-2">
              <AvailableBalance balance={balance} currency={currency} onUseAll={useAll} />
              {amount === '' || isTooMuch || isRepeat ? null : (
                <LimitNotice
                  amount={amount}
                  currency={currency}
                  place={{ fieldId: id, enter: (digits) => onChange({ amount: digits }) }}
                  onAbove={setIsAboveLimit}
                />
              )}
            </div>
          </div>
        </Card>
      </StepLayout>
    </form>
  );
}
