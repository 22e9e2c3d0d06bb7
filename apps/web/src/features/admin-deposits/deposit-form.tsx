import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { AdminDepositRequest } from '@vuka/contracts/http/deposits';
import { CURRENCY_CODES, WALLET_CURRENCIES } from '@vuka/money/currencies';
import { AdminForm, AmountAndCurrency } from '#shared/admin/admin-form.tsx';
import { showFailure } from '#shared/admin/failure-text.ts';
import { showSubmitted } from '#shared/admin/show-submitted.ts';
import { BALANCES_KEY } from '#shared/api/keys.ts';
import { formatAmount } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { isOutcomeUnknown } from '#shared/submission-key.ts';
import { Card } from '#shared/ui/card.tsx';
import { Notice } from '#shared/ui/notice.tsx';
import { PinField } from '#shared/ui/pin-field.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { useForm } from '#shared/use-form.ts';
import { adminDepositsQuery, makeDeposit } from './admin-deposits.api.ts';

const MESSAGES = i18n('admin/deposit-form', {
  title: 'New deposit',
  amount: 'Amount',
  amountHint: 'Whole units, into your own account',
  currency: 'Currency',
  reason: 'Reason',
  reasonHint: 'Where the money comes from',
  pin: 'Your PIN',
  submit: 'Make deposit',
  submitting: 'Depositing...',
  done: 'Deposit successful',
  doneDetail: params('{amount} deposited. Reference {reference}'),
  waiting: 'Deposit waits for approval',
  waitingDetail: params('{amount} moves once another administrator approves it, under Credit Merchant'),
  failed: 'Deposit failed',
  failedDetail: 'Failed to process deposit',
  unknown:
    'No answer arrived, so the deposit may have been made. Sending the same form again cannot make a second one.',
});

const EMPTY = { amount: '', currency: WALLET_CURRENCIES[0] as string, reason: '', pin: '' };

export function DepositForm() {
  const t = useStore(MESSAGES);
  const form = useForm(AdminDepositRequest, EMPTY);
  const deposit = useDeposit(() => form.setValues({ ...EMPTY, currency: form.values.currency }));
  const submit = (): void => {
    deposit.mutate(form.values, { onError: () => form.clear('pin') });
  };
  return (
    <Card title={t.title}>
      <AdminForm
        form={form}
        submit={t.submit}
        submitting={t.submitting}
        isPending={deposit.isPending}
        onSubmit={submit}
      >
        <div className="grid items-start gap-4 sm:grid-cols-2 xl:grid-cols-4">
          <AmountAndCurrency form={form} labels={t} currencies={CURRENCY_CODES} />
          <TextField {...form.field('reason')} label={t.reason} hint={t.reasonHint} autoComplete="off" />
          <PinField {...form.field('pin')} label={t.pin} autoComplete="off" maxDigits={6} />
        </div>
        {deposit.error && isOutcomeUnknown(deposit.error) ? <Notice tone="warn">{t.unknown}</Notice> : null}
      </AdminForm>
    </Card>
  );
}

function useDeposit(onDone: () => void) {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  return useMutation({
    mutationFn: makeDeposit,
    meta: { silent: true },
    async onSuccess({ answer, isRepeat }) {
      onDone();
      const credit = 'credit' in answer ? answer.credit : undefined;
      const isWaiting = credit?.status === 'awaiting_approval';
      const { amount: moved, currency, reference } = 'credit' in answer ? answer.credit : answer;
      const amount = formatAmount(moved, currency);
      const description = isWaiting ? t.waitingDetail({ amount }) : t.doneDetail({ amount, reference });
      const title = isWaiting ? t.waiting : t.done;
      showSubmitted({ status: credit?.status, isRepeat, title, description });
      await Promise.all([
        client.invalidateQueries({ queryKey: adminDepositsQuery().queryKey }),
        client.invalidateQueries({ queryKey: BALANCES_KEY }),
      ]);
    },
    onError(error) {
      showFailure(t.failed, error, t.failedDetail);
    },
  });
}
