import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { AdjustmentKind, AdjustmentRequest, OperatorAccount } from '@vuka/contracts/http/adjustments';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import { AdminForm, AmountAndCurrency } from '#shared/admin/admin-form.tsx';
import { showFailure } from '#shared/admin/failure-text.ts';
import { showSubmitted } from '#shared/admin/show-submitted.ts';
import { formatExactAmount } from '#shared/format/exact-amount.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { isOutcomeUnknown } from '#shared/submission-key.ts';
import { Card } from '#shared/ui/card.tsx';
import { Notice } from '#shared/ui/notice.tsx';
import { PinField } from '#shared/ui/pin-field.tsx';
import { SelectField } from '#shared/ui/select-field.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { useForm } from '#shared/use-form.ts';
import { ADJUSTMENT_WORDS } from './adjustment-words.ts';
import { ADJUSTMENTS_KEY, type AdjustmentFields, requestAdjustment } from './adjustments.api.ts';

const MESSAGES = i18n('admin/adjustment-form', {
  title: 'New adjustment',
  kind: 'Kind',
  explain_float_top_up: 'You sent money from the bank to the provider.',
  explain_provider_fee: 'The provider took a fee from the float.',
  explain_loss: 'The provider paid money that our books returned, and does not give it back.',
  explain_correction: 'Moves money from one account to another, for example to reverse an adjustment.',
  from: 'From account',
  to: 'To account',
  amount: 'Amount',
  currency: 'Currency',
  reason: 'Reason',
  reasonHint: 'With the number of a ticket or a statement',
  pin: 'Your PIN',
  submit: 'Request adjustment',
  submitting: 'Requesting...',
  waiting: 'Adjustment waits for approval',
  waitingDetail: params('{amount} is booked once another administrator approves it. Reference {reference}'),
  booked: 'Adjustment booked',
  bookedDetail: params('{amount}. Reference {reference}'),
  failed: 'The adjustment was not requested',
  unknown:
    'No answer arrived, so the adjustment may have been entered. Sending the same form again cannot enter it twice.',
});

const EMPTY: AdjustmentFields = {
  kind: 'float_top_up',
  amount: '',
  currency: WALLET_CURRENCIES[0],
  reason: '',
  from: 'losses',
  to: 'payout-clearing',
  pin: '',
};

export function AdjustmentForm() {
  const t = useStore(MESSAGES);
  const words = useStore(ADJUSTMENT_WORDS);
  const form = useForm(AdjustmentRequest, EMPTY);
  const kind = AdjustmentKind.parse(form.values.kind);
  const asking = useRequest(() => form.setValues({ ...EMPTY, kind, currency: form.values.currency }));
  const submit = (): void => {
    asking.mutate(form.values, { onError: () => form.clear('pin') });
  };
  const select = (
    name: 'kind' | 'from' | 'to',
    label: string,
    values: readonly (keyof typeof words & string)[],
    hint = '',
  ) => (
    <SelectField
      label={label}
      hint={hint}
      name={name}
      value={form.values[name]}
      options={values.map((value) => ({ value, label: words[value] }))}
      onChange={(value) => form.setValues(withDifferentAccounts({ ...form.values, [name]: value }))}
    />
  );
  return (
    <Card title={t.title}>
      <AdminForm form={form} submit={t.submit} submitting={t.submitting} isPending={asking.isPending} onSubmit={submit}>
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {select('kind', t.kind, AdjustmentKind.options, t[`explain_${kind}`])}
          {kind === 'correction' ? (
            <>
              {select('from', t.from, OperatorAccount.options)}
              {select(
                'to',
                t.to,
                OperatorAccount.options.filter((account) => account !== form.values.from),
              )}
            </>
          ) : null}
          <AmountAndCurrency form={form} labels={t} currencies={WALLET_CURRENCIES} />
          <TextField {...form.field('reason')} label={t.reason} hint={t.reasonHint} autoComplete="off" />
          <PinField {...form.field('pin')} label={t.pin} autoComplete="off" />
        </div>
        {asking.error && isOutcomeUnknown(asking.error) ? <Notice tone="warn">{t.unknown}</Notice> : null}
      </AdminForm>
    </Card>
  );
}

/** The account that the money goes to is never the one that it leaves. */
function withDifferentAccounts(values: AdjustmentFields): AdjustmentFields {
  if (values.from !== values.to) return values;
  return { ...values, to: OperatorAccount.options.find((account) => account !== values.from) ?? '' };
}

function useRequest(onDone: () => void) {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  return useMutation({
    mutationFn: requestAdjustment,
    meta: { silent: true },
    async onSuccess({ answer: { adjustment }, isRepeat }) {
      onDone();
      const facts = {
        amount: formatExactAmount(adjustment.amount, adjustment.currency),
        reference: adjustment.reference,
      };
      const isBooked = adjustment.status === 'approved';
      const description = isBooked ? t.bookedDetail(facts) : t.waitingDetail(facts);
      const title = isBooked ? t.booked : t.waiting;
      showSubmitted({ status: adjustment.status, isRepeat, title, description });
      await client.invalidateQueries({ queryKey: ADJUSTMENTS_KEY });
    },
    onError: (error) => showFailure(t.failed, error, t.failed),
  });
}
