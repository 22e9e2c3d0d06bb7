import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ProviderInquiry, RecoveryPreview } from '@vuka/contracts/http/recovery';
import { Link } from 'react-router-dom';
import { Dialog } from '#shared/admin/dialog.tsx';
import { DialogFailure } from '#shared/admin/dialog-failure.tsx';
import { QueryBody } from '#shared/admin/query-body.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { formatDayAndTime } from '#shared/format/date.ts';
import { codedText } from '#shared/i18n/coded-text.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { adminTransactionPath } from '#shared/paths.ts';
import { Button } from '#shared/ui/button.tsx';
import { Notice } from '#shared/ui/notice.tsx';
import { LegList } from './leg-list.tsx';
import { inquireProvider, recoveryQuery } from './recovery.api.ts';
import type { RetryOutcome } from './use-retry.ts';

const MESSAGES = i18n('admin/recovery-dialog', {
  title: 'Before a retry',
  failed: 'The steps could not be loaded',
  legs: 'Steps',
  provider: 'The provider',
  lastCall: params('Last asked {time}: {operation}, answer {status}'),
  noAnswer: 'none',
  neverAsked: 'The provider has not been asked.',
  requests: params('Payment requests sent: {count}, all under one ID that is paid at most once.'),
  paidIntoWallet: params('Paid into the wallet of the recipient, a merchant here: {time}.'),
  ask: 'Ask the provider now',
  asking: 'Asking...',
  found: params('The provider says: {state}'),
  foundFailure: params('The provider says: {state} ({code})'),
  notFound: 'The provider does not know this payment. A retry sends it under the same ID.',
  unclear: 'The provider gave no clear answer. Do not release any money.',
  askFailed: 'The provider could not be asked',
  askFailedDetail: 'An error occurred, please try again',
  unanswered: 'No answer arrived. You can ask again at any time.',
  retries: 'Retries so far',
  noRetries: 'None',
  retryLine: params('{time}, {admin}: {result}'),
  underWay: 'in progress',
  retry: 'Retry',
  retrying: 'Retrying...',
  ended: 'This transaction has ended and cannot be retried.',
});

/** Results of retries. Their English is in the server's answer. */
const RESULT_TEXTS = i18n<Record<string, string>>('admin/retry-results', {});

interface RecoveryDialogProps {
  id: string;
  isRetrying: boolean;
  /** Of the last retry: a toast would be behind the dialog. */
  outcome: RetryOutcome | undefined;
  onRetry: () => void;
  onClose: () => void;
}

/**
 * The steps of a transaction so far and the provider's status, so that an administrator can decide whether to retry.
 */
export function RecoveryDialog({ id, isRetrying, outcome, onRetry, onClose }: RecoveryDialogProps) {
  const t = useStore(MESSAGES);
  const query = useQuery(recoveryQuery(id));
  const mayRetry = useMayDo()('recovery.retry');
  return (
    <Dialog title={t.title} shape="wide" onClose={onClose}>
      <QueryBody query={query} failed={(detail) => ({ title: t.failed, detail })}>
        {(preview) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-5 px-5 pb-5 text-small">
            <Link
              to={adminTransactionPath(id)}
              className="nums text-caption [overflow-wrap:anywhere] text-primary underline-offset-2 hover:underline"
            >
              {id}
            </Link>
            <section>
              <h3 className="mb-2 font-semibold">{t.legs}</h3>
              <LegList legs={preview.legs} />
            </section>
            <Provider preview={preview} />
            <Retries preview={preview} />
            {mayRetry ? (
              <div className="flex flex-wrap items-center justify-end gap-3 border-t border-line pt-4">
                {preview.isRetryable ? null : <p className="text-ink2">{t.ended}</p>}
                <Outcome outcome={outcome} />
                <Button disabled={isRetrying || !preview.isRetryable} isPending={isRetrying} onClick={onRetry}>
                  {isRetrying ? t.retrying : t.retry}
                </Button>
              </div>
            ) : null}
          </div>
        )}
      </QueryBody>
    </Dialog>
  );
}

function Outcome({ outcome }: { outcome: RetryOutcome | undefined }) {
  if (!outcome) return null;
  return (
    <p role="status" className={`font-semibold ${outcome.isQueued ? 'text-ok-ink' : 'text-bad-ink'}`}>
      {outcome.text}
    </p>
  );
}

function Provider({ preview }: { preview: RecoveryPreview }) {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  const mayInquire = useMayDo()('recovery.retry');
  const { lastCall, payout, paidIntoWalletAt, transaction } = preview;
  const inquiry = useMutation({
    mutationFn: () => inquireProvider(transaction.id),
    meta: { silent: true },
    onSettled: () => client.invalidateQueries({ queryKey: recoveryQuery(transaction.id).queryKey }),
  });
  const { timestamp, operation, responseStatus } = lastCall ?? {};
  return (
    <section>
      <h3 className="mb-2 font-semibold">{t.provider}</h3>
      <p className="nums text-ink2">
        {timestamp
          ? t.lastCall({
              time: formatDayAndTime(timestamp),
              operation: operation ?? '',
              status: responseStatus ?? t.noAnswer,
            })
          : t.neverAsked}
      </p>
      {payout ? <p className="nums mt-1 text-ink2">{t.requests({ count: payout.requestsSent })}</p> : null}
      {paidIntoWalletAt ? (
        <p className="nums mt-1 text-ink2">{t.paidIntoWallet({ time: formatDayAndTime(paidIntoWalletAt) })}</p>
      ) : null}
      {inquiry.data ? <Answer inquiry={inquiry.data} /> : null}
      <DialogFailure error={inquiry.error} title={t.askFailed} fallback={t.askFailedDetail} unanswered={t.unanswered} />
      {payout && mayInquire ? (
        <Button
          variant="secondary"
          size="small"
          className="mt-3"
          isPending={inquiry.isPending}
          disabled={inquiry.isPending}
          onClick={() => inquiry.mutate()}
        >
          {inquiry.isPending ? t.asking : t.ask}
        </Button>
      ) : null}
    </section>
  );
}

function Answer({ inquiry }: { inquiry: ProviderInquiry }) {
  const t = useStore(MESSAGES);
  const { answer, state, failureCode } = inquiry;
  const found = failureCode
    ? t.foundFailure({ state: state ?? '', code: failureCode })
    : t.found({ state: state ?? '' });
  const text = { found, not_found: t.notFound, no_clear_answer: t.unclear }[answer];
  return (
    <div className="mt-3">
      <Notice tone={answer === 'no_clear_answer' ? 'warn' : 'info'} role="status">
        {text}
      </Notice>
    </div>
  );
}

function Retries({ preview: { retries } }: { preview: RecoveryPreview }) {
  const t = useStore(MESSAGES);
  const results = useStore(RESULT_TEXTS);
  return (
    <section>
      <h3 className="mb-2 font-semibold">{t.retries}</h3>
      {retries.length === 0 ? <p className="text-ink2">{t.noRetries}</p> : null}
      <ul className="nums grid gap-1 text-ink2">
        {retries.map(({ id, createdAt, adminId, result, resultCodes }) => (
          <li key={id}>
            {t.retryLine({
              time: formatDayAndTime(createdAt),
              admin: adminId,
              result: result ? codedText(results, resultCodes, result) : t.underWay,
            })}
          </li>
        ))}
      </ul>
    </section>
  );
}
