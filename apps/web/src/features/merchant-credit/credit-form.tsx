import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useMutation } from '@tanstack/react-query';
import { CreditBalanceRequest, CreditBalanceResult } from '@vuka/contracts/http/admin';
import { useSearchParams } from 'react-router-dom';
import { AdminForm, filterAmount } from '#shared/admin/admin-form.tsx';
import { failureText } from '#shared/admin/failure-text.ts';
import { useErrorText } from '#shared/admin/form-errors.ts';
import { callApi, MalformedAnswerError } from '#shared/api-client.ts';
import { formatAmount } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { isOutcomeUnknown, releaseSubmissionKey, submissionKey } from '#shared/submission-key.ts';
import { showError, showToast } from '#shared/toast-store.ts';
import { Card } from '#shared/ui/card.tsx';
import { Notice } from '#shared/ui/notice.tsx';
import { SelectField } from '#shared/ui/select-field.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { useForm } from '#shared/use-form.ts';

const MESSAGES = i18n('admin/credit-form', {
  title: 'Credit a wallet',
  merchantId: 'Merchant ID',
  merchantIdHint: 'Like ABCD1234EFGH, or ADM and digits for an administrator',
  amount: 'Amount',
  currency: 'Currency',
  kes: 'Kenyan Shilling (KES)',
  tzs: 'Tanzanian Shilling (TZS)',
  submit: 'Credit balance',
  submitting: 'Crediting...',
  done: 'Balance credited',
  doneDetail: params('{amount} credited to {merchantId}'),
  failed: 'Credit failed',
  failedDetail: 'Failed to credit balance',
  unreadable: 'Invalid server response format',
  unknown: 'No answer came, so the credit may have been made. Sending the same form again cannot make a second one.',
});

const EMPTY = { merchantId: '', amount: '', currency: 'KES' };
const CREDIT = 'credit';

function creditBalance(credit: typeof EMPTY) {
  const idempotencyKey = submissionKey(CREDIT, credit);
  return callApi('/api/admin/credit-balance', CreditBalanceResult, { method: 'POST', body: credit, idempotencyKey });
}

export function CreditForm() {
  const t = useStore(MESSAGES);
  const errorText = useErrorText();
  const [params] = useSearchParams();
  const form = useForm(CreditBalanceRequest, { ...EMPTY, merchantId: params.get('merchant') ?? '' });
  const credit = useCredit(() => form.setValues({ ...EMPTY, currency: form.values.currency }));
  const field = (name: keyof typeof EMPTY) => ({ ...form.field(name), error: errorText(form.errors[name]) });
  const merchantId = field('merchantId');
  const amount = field('amount');
  return (
    <Card title={t.title} className="max-w-merchant">
      <AdminForm
        formRef={form.formRef}
        submit={t.submit}
        submitting={t.submitting}
        isPending={credit.isPending}
        onSubmit={() => {
          if (form.validate()) credit.mutate(form.values);
        }}
      >
        <TextField
          {...merchantId}
          label={t.merchantId}
          hint={t.merchantIdHint}
          maxLength={15}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          className="nums"
          onChange={(typed) => merchantId.onChange(typed.toUpperCase().trim())}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            {...amount}
            label={t.amount}
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
            ]}
            onChange={form.field('currency').onChange}
          />
        </div>
        {credit.error && isOutcomeUnknown(credit.error) ? <Notice tone="warn">{t.unknown}</Notice> : null}
      </AdminForm>
    </Card>
  );
}

function useCredit(onDone: () => void) {
  const t = useStore(MESSAGES);
  return useMutation({
    mutationFn: creditBalance,
    meta: { silent: true },
    onSuccess({ amount, currency, merchantId }) {
      releaseSubmissionKey(CREDIT);
      onDone();
      const description = t.doneDetail({ amount: formatAmount(amount, currency), merchantId });
      showToast({ title: t.done, description, tone: 'success' });
    },
    onError(error) {
      showError(t.failed, failureText(error, error instanceof MalformedAnswerError ? t.unreadable : t.failedDetail));
    },
  });
}
