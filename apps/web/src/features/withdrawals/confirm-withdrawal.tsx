import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import type { LinkedAccount } from '@vuka/contracts/http/linked-accounts';
import type { WithdrawalPrice } from '@vuka/contracts/http/withdrawals';
import { reason } from '@vuka/contracts/texts/reason';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { withdrawalPriceQuery } from '#shared/api/withdrawals.api.ts';
import { errorMessage } from '#shared/api-client.ts';
import { accountDetail } from '#shared/format/account.ts';
import { formatExactAmount } from '#shared/format/exact-amount.ts';
import { groupDigits } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { LimitNotice } from '#shared/limits/limit-notice.tsx';
import { BackButton } from '#shared/ui/back-button.tsx';
import { Button } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { CurrencyTag } from '#shared/ui/currency-tag.tsx';
import { Figure } from '#shared/ui/figure.tsx';
import { LoadError } from '#shared/ui/load-error.tsx';
import { Notice } from '#shared/ui/notice.tsx';
import { Page } from '#shared/ui/page.tsx';
import { PinCells } from '#shared/ui/pin-cells.tsx';
import { PageSpinner } from '#shared/ui/spinner.tsx';
import { StepLayout } from '#shared/ui/step-layout.tsx';
import { useOnline } from '#shared/use-online.ts';
import { usePinState } from '#shared/use-pin-state.ts';
import { isWrongPin } from '#shared/wrong-pin.ts';
import { isUnansweredOrder, orderOf } from './withdrawal-order.ts';

const MESSAGES = i18n('confirm-withdrawal', {
  title: 'Confirm Withdrawal',
  amount: 'You receive',
  to: 'Withdraw to',
  fee: 'Fee',
  total: 'Taken from your balance',
  approval: 'Our team reviews this withdrawal before it is paid. The amount is reserved until then.',
  bankApproval: 'Our team pays bank accounts by hand, after a review. The amount is reserved until then.',
  unanswered: 'No answer arrived, so we cannot tell whether the request did. Confirm again: it is never taken twice.',
  priceFailed: 'The price could not be loaded',
  pin: 'Enter your 4-digit PIN',
  back: 'Back to details',
  confirm: 'Confirm Withdrawal',
  processing: 'Processing...',
  offline: 'You are offline. Connect to the internet to withdraw.',
});

interface ConfirmWithdrawalProps {
  account: LinkedAccount;
  amount: string;
  /** The error of the last attempt. */
  error: Error | null;
  isSending: boolean;
  onBack: () => void;
  onConfirm: (confirmed: { pin: string; fee: string }) => void;
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 py-2.5">
      <dt className="text-small text-ink2">{label}</dt>
      <dd className="nums ml-auto min-w-0 text-right font-medium break-words">{children}</dd>
    </div>
  );
}

function wrongPinText(error: Error | null): string | undefined {
  return isWrongPin(error) ? errorMessage(error) : undefined;
}

export function ConfirmWithdrawal(props: ConfirmWithdrawalProps) {
  const { account, amount, isSending, onBack } = props;
  const t = useStore(MESSAGES);
  const headingRef = useRef<HTMLHeadingElement>(null);
  const price = useQuery(withdrawalPriceQuery(amount, account.id));
  useEffect(() => headingRef.current?.focus(), []);
  return (
    <Page
      title={t.title}
      width="split"
      headingRef={headingRef}
      arrow={<BackButton label={t.back} isDisabled={isSending} onBack={onBack} />}
    >
      {price.data ? <Confirmation {...props} price={price.data} /> : null}
      {!price.data && price.error ? (
        <Card>
          <LoadError title={t.priceFailed} detail={errorMessage(price.error)} onRetry={() => void price.refetch()} />
        </Card>
      ) : null}
      {!price.data && !price.error ? <PageSpinner /> : null}
    </Page>
  );
}

function Confirmation({
  account,
  amount,
  price: { fee, total, currency, requiresApproval },
  error,
  isSending,
  onBack,
  onConfirm,
}: ConfirmWithdrawalProps & { price: WithdrawalPrice }) {
  const t = useStore(MESSAGES);
  const isOnline = useOnline();
  const [pin, setPin] = usePinState('');
  const [problem, setProblem] = useState<string>();
  const [isAboveLimit, setIsAboveLimit] = useState(false);
  const isUnanswered = isUnansweredOrder(orderOf(account, amount));
  // A PIN is for one attempt.
  useEffect(() => {
    if (error) setPin('');
  }, [error, setPin]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const found = pin.length === 4 ? undefined : reason('pin_missing');
    setProblem(found);
    if (!found && !isSending) onConfirm({ pin, fee });
  };
  return (
    <form noValidate className="grid animate-step grid-cols-[minmax(0,1fr)] gap-4" onSubmit={submit}>
      <StepLayout
        isResting
        isAsideCentred
        aside={
          <>
            {requiresApproval ? <Notice tone="info">{account.bank ? t.bankApproval : t.approval}</Notice> : null}
            {isUnanswered && !isSending ? <Notice tone="warn">{t.unanswered}</Notice> : null}
            {/* A limit counts an unanswered withdrawal that was accepted. */}
            {isUnanswered ? null : (
              <LimitNotice amount={amount} currency={currency} place={{ back: onBack }} onAbove={setIsAboveLimit} />
            )}
            <PinCells
              label={t.pin}
              value={pin}
              isDisabled={isSending}
              error={problem ?? (pin === '' ? wrongPinText(error) : undefined)}
              onChange={(typed) => {
                setProblem(undefined);
                setPin(typed);
              }}
            />
          </>
        }
        action={
          <div className="grid gap-2">
            <Button
              type="submit"
              variant={isAboveLimit ? 'secondary' : 'primary'}
              className="w-full"
              isPending={isSending}
              aria-disabled={isSending}
              disabled={!isOnline}
            >
              {isSending ? t.processing : t.confirm}
            </Button>
            {isOnline ? null : <p className="text-center text-small text-ink2">{t.offline}</p>}
          </div>
        }
      >
        <Card>
          <dl className="divide-y divide-line px-4 sm:px-5">
            <div className="pt-5 pb-3">
              <dt className="text-small text-ink2">{t.amount}</dt>
              <dd className="nums text-amount font-bold tracking-amount">
                <Figure text={groupDigits(amount)} /> <CurrencyTag currency={currency} />
              </dd>
            </div>
            <Fact label={t.to}>
              {account.accountName}
              <span className="block text-small font-normal text-ink2">{accountDetail(account)}</span>
            </Fact>
            <Fact label={t.fee}>{formatExactAmount(fee, currency)}</Fact>
            <Fact label={t.total}>
              <span className="font-semibold">{formatExactAmount(total, currency)}</span>
            </Fact>
          </dl>
        </Card>
      </StepLayout>
    </form>
  );
}
