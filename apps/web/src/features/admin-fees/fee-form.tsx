import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { AddFee } from '@vuka/contracts/http/fees';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import * as z from 'zod/mini';
import { AdminForm, AmountField, PercentField } from '#shared/admin/admin-form.tsx';
import { showFailure } from '#shared/admin/failure-text.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { showToast } from '#shared/toast-store.ts';
import { Card } from '#shared/ui/card.tsx';
import { CurrencySelect } from '#shared/ui/currency-select.tsx';
import { PinField } from '#shared/ui/pin-field.tsx';
import { SelectField } from '#shared/ui/select-field.tsx';
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
  maxHint: 'Leave empty for no upper limit',
  fixedFee: 'Fixed fee',
  fixedHint: params('In {currency}'),
  percentageFee: 'Percentage of the amount',
  percentageHint: 'In %',
  pin: 'Your PIN',
  submit: 'Add fee',
  submitting: 'Adding...',
  done: 'Fee added',
  doneDetail: 'It is charged from now on. Prices that are already held do not change.',
  failed: 'The fee was not added',
});

const EMPTY = {
  transactionType: 'transfer',
  currency: WALLET_CURRENCIES[0] as string,
  minAmount: '0',
  maxAmount: '',
  fixedFee: '0',
  percentageFee: '0',
  pin: '',
};

// An empty field means no upper limit, not an empty amount.
const TypedFee = z.pipe(
  z.transform((typed: typeof EMPTY) => ({ ...typed, maxAmount: typed.maxAmount || null }) as z.input<typeof AddFee>),
  AddFee,
);

export function FeeForm() {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  const form = useForm(TypedFee, EMPTY);
  const adding = useMutation({
    mutationFn: (typed: typeof EMPTY) => addFee(z.parse(TypedFee, typed)),
    meta: { silent: true },
    onSuccess() {
      showToast({ title: t.done, description: t.doneDetail, tone: 'success' });
      form.setValues({ ...EMPTY, transactionType: form.values.transactionType, currency: form.values.currency });
    },
    onError(error) {
      form.clear('pin');
      showFailure(t.failed, error, t.failed);
    },
    onSettled: () => client.invalidateQueries({ queryKey: FEES_KEY }),
  });
  return (
    <Card title={t.title}>
      <AdminForm
        form={form}
        submit={t.submit}
        submitting={t.submitting}
        isPending={adding.isPending}
        onSubmit={() => adding.mutate(form.values)}
      >
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
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
          <CurrencySelect
            label={t.currency}
            name="currency"
            currencies={WALLET_CURRENCIES}
            value={form.values.currency}
            onChange={form.field('currency').onChange}
          />
          <AmountField {...form.field('minAmount')} currency={form.values.currency} label={t.minAmount} />
          <AmountField
            {...form.field('maxAmount')}
            currency={form.values.currency}
            label={t.maxAmount}
            hint={t.maxHint}
          />
          <AmountField
            {...form.field('fixedFee')}
            currency={form.values.currency}
            label={t.fixedFee}
            hint={t.fixedHint({ currency: form.values.currency })}
          />
          <PercentField {...form.field('percentageFee')} label={t.percentageFee} hint={t.percentageHint} />
          <PinField {...form.field('pin')} label={t.pin} autoComplete="off" />
        </div>
      </AdminForm>
    </Card>
  );
}
