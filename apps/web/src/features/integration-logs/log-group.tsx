import { count, params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import { ChevronRight, CircleCheck, CircleX, Clock } from 'lucide-react';
import { formatDayAndTime } from '#shared/format/date.ts';
import { formatExactAmount } from '#shared/format/exact-amount.ts';
import { formatPhone } from '#shared/format/phone.ts';
import { shortId } from '#shared/format/short-id.ts';
import { unbroken } from '#shared/format/unbroken.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Badge } from '#shared/ui/badge.tsx';
import { Moment } from '#shared/ui/moment.tsx';
import type { LogGroup } from './integration-logs.api.ts';
import { payoutOfCalls } from './payout-of-calls.ts';
import { payoutOutcome } from './payout-outcome.ts';

const MESSAGES = i18n('admin/log-group', {
  none: 'No transaction',
  payout: params('{amount} to {phone}'),
  operations: count({ one: '{count} operation', many: '{count} operations' }),
  paid: 'Paid',
  notPaid: 'Not paid',
  underWay: 'In progress',
  answered: 'Answered',
  failed: 'Failed',
  noAnswer: 'No answer',
});

interface LogGroupRowProps {
  group: LogGroup;
  onOpen: (log: IntegrationLog) => void;
}

/** One transaction, which opens to the list of its calls to providers. */
export function LogGroupRow({ group, onOpen }: LogGroupRowProps) {
  const t = useStore(MESSAGES);
  const { transactionId, logs } = group;
  const newest = logs[0];
  const payout = payoutOfCalls(logs);
  /** Whether the title is the payout, so that the ID needs a line of its own. */
  const hasIdBelow = payout !== undefined && transactionId !== null;
  const provider = newest ? `\u00a0· ${newest.provider}` : '';
  const identity = transactionId ? (
    <>
      <span className="max-md:hidden">{transactionId}</span>
      <span className="md:hidden">{shortId(transactionId)}</span>
    </>
  ) : null;
  return (
    <li>
      <details className="group">
        <summary className="flex min-h-14 cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-1.5 px-4 py-2 -outline-offset-3 hover:bg-sunken sm:px-5 [&::-webkit-details-marker]:hidden">
          <ChevronRight aria-hidden className="size-5 shrink-0 text-ink3 transition-transform group-open:rotate-90" />
          <span className="grid min-w-0 flex-1 basis-56 grid-cols-[minmax(0,1fr)]">
            <span className="flex flex-wrap items-start justify-between gap-x-3">
              <span className="nums min-w-0 flex-1 basis-32 text-small font-medium break-words">
                {payout
                  ? t.payout({
                      amount: unbroken(formatExactAmount(payout.amount, payout.currency)),
                      phone: unbroken(formatPhone(payout.phone)),
                    })
                  : (identity ?? t.none)}
              </span>
              {transactionId ? <Outcome of={payoutOutcome(logs)} /> : null}
            </span>
            <span className="nums text-caption text-ink3">
              {newest ? `${unbroken(formatDayAndTime(newest.timestamp))}\u00a0· ` : ''}
              {unbroken(t.operations(logs.length))}
              {hasIdBelow ? null : provider}
            </span>
            {hasIdBelow ? (
              <span className="nums text-caption break-words text-ink3">
                {identity}
                {provider}
              </span>
            ) : null}
          </span>
        </summary>
        <ul className="border-t border-line bg-sunken">
          {logs.map((log) => (
            <li key={log.id} className="border-b border-line last:border-b-0">
              <button
                type="button"
                className="flex min-h-12 w-full flex-wrap items-center gap-x-3 gap-y-0.5 py-2 pr-4 pl-12 text-left text-small -outline-offset-3 hover:bg-primary-soft sm:pl-13"
                onClick={() => onOpen(log)}
              >
                <span className="font-medium">{log.operation}</span>
                <span className="nums text-caption text-ink2">
                  {log.requestMethod} {log.responseStatus ?? t.noAnswer}
                </span>
                <span className="nums flex-1 basis-32 text-caption text-ink2 md:text-right">
                  <Moment at={log.timestamp} />
                </span>
                {/* As wide as either outcome, so that the times align. */}
                <span className="min-w-24 text-right">
                  <Outcome of={log.success ? 'answered' : 'failed'} />
                </span>
              </button>
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}

/** The outcomes of calls and of payouts, which differ: an answered call says nothing about the money. */
const OUTCOMES = {
  paid: { Icon: CircleCheck, tone: 'ok' },
  notPaid: { Icon: CircleX, tone: 'bad' },
  underWay: { Icon: Clock, tone: 'warn' },
  answered: { Icon: CircleCheck, tone: 'quiet' },
  failed: { Icon: CircleX, tone: 'bad' },
} as const;

function Outcome({ of }: { of: keyof typeof OUTCOMES }) {
  const t = useStore(MESSAGES);
  const { Icon, tone } = OUTCOMES[of];
  return (
    <Badge tone={tone} Icon={Icon}>
      {t[of]}
    </Badge>
  );
}
