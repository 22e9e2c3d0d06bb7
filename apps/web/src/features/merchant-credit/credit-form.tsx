import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CreditBalanceRequest, CreditBalanceResult, LargeCreditAnswer } from '@vuka/contracts/http/credits';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import { useSearchParams } from 'react-router-dom';
import * as z from 'zod/mini';
import { AdminForm, AmountAndCurrency } from '#shared/admin/admin-form.tsx';
import { showFailure } from '#shared/admin/failure-text.ts';
import { showSubmitted } from '#shared/admin/show-submitted.ts';
import { callApi, MalformedAnswerError } from '#shared/api-client.ts';
import { formatAmount } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { isOutcomeUnknown, submitOnce } from '#shared/submission-key.ts';
import { Card } from '#shared/ui/card.tsx';
import { Notice } from '#shared/ui/notice.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { useForm } from '#shared/use-form.ts';
import { CreditRecipient, useMerchantOfId } from './credit-recipient.tsx';
import { LARGE_CREDITS_KEY } from './large-credits.api.ts';

const MESSAGES = i18n('admin/credit-form', {
  title: 'Credit a wallet',
  merchantId: 'Merchant ID',
  merchantIdHint: 'Like ABCD1234EFGH, or ADM and digits for an administrator',
  amount: 'Amount',
  currency: 'Currency',
  submit: 'Credit balance',
  submitTo: params('Credit {amount} to {name}'),
  submitting: 'Crediting...',
  done: 'Balance credited',
  doneDetail: params('{amount} credited to {merchantId}'),
  waiting: 'Credit waits for approval',
  waitingDetail: params('{amount} moves to {merchantId} once another administrator approves it'),
  failed: 'Credit failed',
  failedDetail: 'Failed to credit balance',
  unreadable: 'Invalid server response format',
  unknown: 'No answer arrived, so the credit may have been made. Sending the same form again cannot make a second one.',
});

const EMPTY = { merchantId: '', amount: '', currency: WALLET_CURRENCIES[0] as string };

/** Completed at once, or, above the limit, waiting for another administrator. */
const Answer = z.union([CreditBalanceResult, LargeCreditAnswer]);

function creditBalance(credit: typeof EMPTY) {
  return submitOnce('credit', credit, (idempotencyKey) =>
    callApi('/api/admin/credit-balance', Answer, { method: 'POST', body: credit, idempotencyKey }),
  );
}

export function CreditForm() {
  const t = useStore(MESSAGES);
  const [address] = useSearchParams();
  const form = useForm(CreditBalanceRequest, { ...EMPTY, merchantId: address.get('merchant') ?? '' });
  const credit = useCredit(() => form.setValues({ ...EMPTY, currency: form.values.currency }));
  const merchantId = form.field('merchantId');
  const merchant = useMerchantOfId(merchantId.value);
  return (
    <Card title={t.title}>
      <AdminForm
        form={form}
        submit={submitText(form.values, merchant?.fullName, t)}
        submitting={t.submitting}
        isPending={credit.isPending}
        onSubmit={() => credit.mutate(form.values)}
      >
        <TextField
          {...merchantId}
          label={t.merchantId}
          hint={<CreditRecipient merchantId={merchantId.value} otherwise={t.merchantIdHint} />}
          maxLength={15}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          className="nums"
          onChange={(typed) => merchantId.onChange(typed.toUpperCase().trim())}
        />
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-1 xl:grid-cols-2">
          <AmountAndCurrency form={form} labels={t} currencies={WALLET_CURRENCIES} />
        </div>
        {credit.error && isOutcomeUnknown(credit.error) ? <Notice tone="warn">{t.unknown}</Notice> : null}
      </AdminForm>
    </Card>
  );
}

/** "Credit 50,000 KES to Zawadi Mushi", once both are known: the button says what it does. */
function submitText({ amount, currency }: typeof EMPTY, name: string | undefined, t: ReturnType<typeof MESSAGES.get>) {
  const isWhole = /^[1-9]\d*$/.test(amount);
  return name && isWhole ? t.submitTo({ amount: formatAmount(amount, currency), name }) : t.submit;
}

function useCredit(onDone: () => void) {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  return useMutation({
    mutationFn: creditBalance,
    meta: { silent: true },
    async onSuccess({ answer, isRepeat }) {
      onDone();
      const credit = 'credit' in answer ? answer.credit : undefined;
      const isWaiting = credit?.status === 'awaiting_approval';
      const { amount, currency, merchantId } = 'credit' in answer ? answer.credit : answer;
      const what = { amount: formatAmount(amount, currency), merchantId };
      const description = isWaiting ? t.waitingDetail(what) : t.doneDetail(what);
      const title = isWaiting ? t.waiting : t.done;
      showSubmitted({ status: credit?.status, isRepeat, title, description });
      await Promise.all([
        client.invalidateQueries({ queryKey: LARGE_CREDITS_KEY }),
        client.invalidateQueries({ queryKey: ['/api/admin/merchants'] }),
      ]);
    },
    onError(error) {
      showFailure(t.failed, error, error instanceof MalformedAnswerError ? t.unreadable : t.failedDetail);
    },
  });
}
