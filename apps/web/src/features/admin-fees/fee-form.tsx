import { useStore } from '@nanostores/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { NewFee } from '@vuka/contracts/http/fees';
import * as z from 'zod/mini';
import { AdminForm, filterAmount } from '#shared/admin/admin-form.tsx';
import { failureText } from '#shared/admin/failure-text.ts';
import { useErrorText } from '#shared/admin/form-errors.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { showError, showToast } from '#shared/toast-store.ts';
import { Card } from '#shared/ui/card.tsx';
import { SelectField } from '#shared/ui/select-field.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { useForm } from '#shared/use-form.ts';
import { addFee, FEES_KEY } from './fees.api.ts';

const MESSAGES = i18n('admin/fee-form', {
  title: 'Add a fee',
  type: 'Transaction type',
  transfer: 'Transfer',
  withdrawal: 'Withdrawal',
  currency: 'Currency',
  minAmount: 'From amount',
  maxAmount: 'Below amount',
  maxHint: 'Empty: without an end',
  fixedFee: 'Fixed fee',
  percentageFee: 'Percentage of the amount',
  submit: 'Add fee',
  submitting: 'Adding...',
  done: 'Fee added',
  doneDetail: 'It is charged from now on. Prices that are held keep theirs.',
  failed: 'The fee was not added',
});

const EMPTY = {
  transactionType: 'transfer',
  currency: 'KES',
  minAmount: '0',
  maxAmount: '',
  fixedFee: '0',
  percentageFee: '0',
};

// An empty field is a band without an end, not an empty amount.
const TypedFee = z.pipe(
  z.transform((typed: typeof EMPTY) => ({ ...typed, maxAmount: typed.maxAmount || null }) as z.input<typeof NewFee>),
  NewFee,
);

export function FeeForm() {
  const t = useStore(MESSAGES);
  const errorText = useErrorText();
  const client = useQueryClient();
  const form = useForm(TypedFee, EMPTY);
  const adding = useMutation({
    mutationFn: (typed: typeof EMPTY) => addFee(z.parse(TypedFee, typed)),
    meta: { silent: true },
    onSuccess() {
      showToast({ title: t.done, description: t.doneDetail, tone: 'success' });
      form.setValues({ ...EMPTY, transactionType: form.values.transactionType, currency: form.values.currency });
    },
    onError: (error) => showError(t.failed, failureText(error, t.failed)),
    onSettled: () => client.invalidateQueries({ queryKey: FEES_KEY }),
  });
  const amount = (name: 'minAmount' | 'maxAmount' | 'fixedFee' | 'percentageFee') => {
    const field = form.field(name);
    return {
      ...field,
      error: errorText(form.errors[name]),
      inputMode: 'decimal' as const,
      autoComplete: 'off',
      className: 'nums',
      onChange: (typed: string) => field.onChange(filterAmount(typed)),
    };
  };
  return (
    <Card title={t.title}>
      <AdminForm
        formRef={form.formRef}
        submit={t.submit}
        submitting={t.submitting}
        isPending={adding.isPending}
        onSubmit={() => {
          if (form.validate()) adding.mutate(form.values);
        }}
      >
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          <SelectField
            label={t.type}
            name="transactionType"
            value={form.values.transactionType}
            options={[
              { value: 'transfer', label: t.transfer },
              { value: 'withdrawal', label: t.withdrawal },
            ]}
            onChange={form.field('transactionType').onChange}
          />
          <SelectField
            label={t.currency}
            name="currency"
            value={form.values.currency}
            options={[
              { value: 'KES', label: 'KES' },
              { value: 'TZS', label: 'TZS' },
            ]}
            onChange={form.field('currency').onChange}
          />
          <TextField {...amount('minAmount')} label={t.minAmount} />
          <TextField {...amount('maxAmount')} label={t.maxAmount} hint={t.maxHint} />
          <TextField {...amount('fixedFee')} label={t.fixedFee} />
          <TextField {...amount('percentageFee')} label={t.percentageFee} />
        </div>
      </AdminForm>
    </Card>
  );
}
