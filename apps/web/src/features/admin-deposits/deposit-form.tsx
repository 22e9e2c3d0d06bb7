import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { AdminDepositRequest } from '@vuka/contracts/http/admin';
import { AdminForm, filterAmount } from '#shared/admin/admin-form.tsx';
import { failureText } from '#shared/admin/failure-text.ts';
import { useErrorText } from '#shared/admin/form-errors.ts';
import { BALANCES_KEY } from '#shared/api/balances.api.ts';
import { formatAmount } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { isOutcomeUnknown, releaseSubmissionKey } from '#shared/submission-key.ts';
import { showError, showToast } from '#shared/toast-store.ts';
import { Card } from '#shared/ui/card.tsx';
import { Notice } from '#shared/ui/notice.tsx';
import { PinField } from '#shared/ui/pin-field.tsx';
import { SelectField } from '#shared/ui/select-field.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { useForm } from '#shared/use-form.ts';
import { adminDepositsQuery, DEPOSIT, makeDeposit } from './admin-deposits.api.ts';

const MESSAGES = i18n('admin/deposit-form', {
  title: 'New deposit',
  amount: 'Amount',
  amountHint: 'Whole units, into your own account',
  currency: 'Currency',
  kes: 'Kenyan Shilling (KES)',
  tzs: 'Tanzanian Shilling (TZS)',
  usd: 'US Dollar (USD)',
  reason: 'Reason',
  reasonHint: 'Where the money comes from',
  pin: 'Your PIN',
  submit: 'Make deposit',
  submitting: 'Depositing...',
  done: 'Deposit successful',
  doneDetail: params('{amount} deposited. Reference {reference}'),
  failed: 'Deposit failed',
  failedDetail: 'Failed to process deposit',
  unknown: 'No answer came, so the deposit may have been made. Sending the same form again cannot make a second one.',
});

const EMPTY = { amount: '', currency: 'KES', reason: '', pin: '' };

export function DepositForm() {
  const t = useStore(MESSAGES);
  const errorText = useErrorText();
  const form = useForm(AdminDepositRequest, EMPTY);
  const deposit = useDeposit(() => form.setValues({ ...EMPTY, currency: form.values.currency }));
  const field = (name: keyof typeof EMPTY) => ({ ...form.field(name), error: errorText(form.errors[name]) });
  const amount = field('amount');
  const submit = (): void => {
    if (!form.validate()) return;
    deposit.mutate(form.values, { onError: () => form.setValues({ ...form.values, pin: '' }) });
  };
  return (
    <Card title={t.title}>
      <AdminForm
        formRef={form.formRef}
        submit={t.submit}
        submitting={t.submitting}
        isPending={deposit.isPending}
        onSubmit={submit}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            {...amount}
            label={t.amount}
            hint={t.amountHint}
            inputMode="decimal"
            autoComplete="off"
            className="nums"
            onChange={(typed) => amount.onChange(filterAmount(typed))}
          />
          <SelectField
            label={t.currency}
            name="currency"
            value={form.values.currency}
            options={[
              { value: 'KES', label: t.kes },
              { value: 'TZS', label: t.tzs },
              { value: 'USD', label: t.usd },
            ]}
            onChange={form.field('currency').onChange}
          />
        </div>
        <TextField {...field('reason')} label={t.reason} hint={t.reasonHint} autoComplete="off" />
        <PinField {...field('pin')} label={t.pin} autoComplete="off" maxDigits={6} />
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
    async onSuccess({ amount, currency, reference }) {
      releaseSubmissionKey(DEPOSIT);
      onDone();
      const description = t.doneDetail({ amount: formatAmount(amount, currency), reference });
      showToast({ title: t.done, description, tone: 'success' });
      await Promise.all([
        client.invalidateQueries({ queryKey: adminDepositsQuery().queryKey }),
        client.invalidateQueries({ queryKey: BALANCES_KEY }),
      ]);
    },
    onError(error) {
      showError(t.failed, failureText(error, t.failedDetail));
    },
  });
}
