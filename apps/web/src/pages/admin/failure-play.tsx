import { count, params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import type { RecoveryPreview } from '@vuka/contracts/http/recovery';
import { Check, CircleCheck, Hourglass, type LucideIcon, Undo2 } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { Play } from '#features/failure-lab/play.ts';
import { SCENARIO_WORDS } from '#features/failure-lab/scenario-words.ts';
import { groupLogs, integrationLogsQuery } from '#features/integration-logs/integration-logs.api.ts';
import { recoveryQuery } from '#features/recovery/recovery.api.ts';
import { Journal } from '#features/transaction-journal/journal.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { formatAmount } from '#shared/format/money.ts';
import { formatPhone } from '#shared/format/phone.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { adminTransactionPath, PATHS } from '#shared/paths.ts';
import { buttonClass } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { useJournal } from './use-journal.ts';

const MESSAGES = i18n('admin/failure-play', {
  title: params('Watch: {scenario}'),
  send: 'Send a transfer to a phone. Its events appear here as they happen.',
  watch: 'The last transfers since the failure was switched on, newest first.',
  open: 'Send money',
  stepOn: 'Switched on',
  stepSend: 'Send to a phone',
  stepWatch: 'Watch how it ends',
  transfer: params('{amount} to {phone}'),
  paid: count({
    one: 'Paid exactly once, with {count} request to the network.',
    many: 'Paid exactly once. {count} requests were sent, all for the same payout.',
  }),
  returned: 'Not paid, and the money is back in the wallet.',
  underWay: 'Under way. The money stays reserved until the network gives a clear answer.',
});

const LIVE_MS = 2_000;
const MOST = 3;

/** The next step after a failure was switched on, then the affected transfers until they end. */
export function FailurePlay({ play }: { play: Play }) {
  const t = useStore(MESSAGES);
  const words = useStore(SCENARIO_WORDS);
  const mayDo = useMayDo();
  const logs = useQuery({ ...integrationLogsQuery(''), refetchInterval: LIVE_MS, enabled: mayDo('logs.read') });
  const since = logs.data?.filter(({ timestamp }) => timestamp >= play.since) ?? [];
  const ids = groupLogs(since, '').flatMap(({ transactionId }) => transactionId ?? []);
  return (
    <Card title={t.title({ scenario: words[`${play.scenario}.name`] })}>
      <Steps done={ids.length === 0 ? 1 : 2} />
      <div className="grid justify-items-start gap-3 px-4 pb-4 text-small text-ink2 sm:px-5">
        <p>{ids.length === 0 ? t.send : t.watch}</p>
        <Link
          to={PATHS.send}
          className={buttonClass(ids.length === 0 ? 'primary' : 'quiet', 'w-full sm:w-auto', 'small')}
        >
          {t.open}
        </Link>
      </div>
      {ids.length === 0 ? null : (
        <ul className="divide-y divide-line border-t border-line">
          {ids.slice(0, MOST).map((id, index) => (
            <WatchedTransfer key={id} id={id} isOpen={index === 0} />
          ))}
        </ul>
      )}
    </Card>
  );
}

const STEPS = ['stepOn', 'stepSend', 'stepWatch'] as const;

/** The three steps. The first `done` are complete, and the next one is in progress. */
function Steps({ done }: { done: number }) {
  const t = useStore(MESSAGES);
  return (
    <ol className="flex flex-wrap gap-x-6 gap-y-1.5 px-4 pb-2 text-small sm:px-5">
      {STEPS.map((step, index) => (
        <li
          key={step}
          aria-current={index === done ? 'step' : undefined}
          className={`flex items-center gap-2 ${index === done ? 'font-semibold' : 'text-ink2'}`}
        >
          <span
            className={`nums grid size-6 shrink-0 place-items-center rounded-full text-caption font-semibold ${STEP_LOOKS[Math.sign(index - done) + 1]}`}
          >
            {index < done ? <Check aria-hidden className="size-4" strokeWidth={3} /> : index + 1}
          </span>
          {t[step]}
        </li>
      ))}
    </ol>
  );
}

/** The classes of a step that is done, in progress, or still to come. */
const STEP_LOOKS = ['bg-ok text-surface', 'bg-primary text-on-primary', 'bg-sunken text-ink2'] as const;

function WatchedTransfer({ id, isOpen }: { id: string; isOpen: boolean }) {
  const { data } = useQuery({ ...recoveryQuery(id), refetchInterval: LIVE_MS });
  return data ? <Watched preview={data} isOpen={isOpen} /> : null;
}

const ENDS = {
  paid: { look: 'text-ok-ink', Icon: CircleCheck },
  returned: { look: 'text-primary-ink', Icon: Undo2 },
  underWay: { look: 'text-warn-ink', Icon: Hourglass },
} as const satisfies Record<string, { look: string; Icon: LucideIcon }>;

/** Only the ledger and the provider's own report together make a payout paid. */
function endOf({ transaction, legs }: RecoveryPreview): keyof typeof ENDS {
  if (transaction.status === 'SETTLED' && legs.providerPaid === 'done' && legs.captured === 'done') return 'paid';
  return transaction.status === 'FAILED' && legs.released === 'done' ? 'returned' : 'underWay';
}

function Watched({ preview, isOpen }: { preview: RecoveryPreview; isOpen: boolean }) {
  const t = useStore(MESSAGES);
  const { transaction, payout } = preview;
  const end = endOf(preview);
  const { look, Icon } = ENDS[end];
  // Shares the journal's own query of the calls, and keeps it fresh while the transfer is open.
  const refetchInterval = end === 'underWay' ? LIVE_MS : false;
  useQuery({ ...integrationLogsQuery(transaction.id), refetchInterval });
  const events = useJournal(transaction.id, transaction.status);
  return (
    <li>
      <details open={isOpen}>
        <summary className="cursor-pointer px-4 py-3 -outline-offset-3 hover:bg-sunken sm:px-5">
          <span className="nums font-semibold">
            {t.transfer({
              amount: formatAmount(transaction.target_amount, transaction.target_currency),
              phone: formatPhone(transaction.metadata.recipientPhone ?? ''),
            })}
          </span>
          <span role="status" className={`mt-1 flex items-start gap-1.5 text-small font-semibold ${look}`}>
            <Icon aria-hidden className="size-5 shrink-0" />
            {end === 'paid' ? t.paid(payout?.requestsSent ?? 1) : t[end]}
          </span>
        </summary>
        <Link
          to={adminTransactionPath(transaction.id)}
          className="nums mx-4 mb-3 inline-block text-caption text-primary [overflow-wrap:anywhere] underline-offset-2 hover:underline sm:mx-5"
        >
          {transaction.id}
        </Link>
        <Journal events={events} />
      </details>
    </li>
  );
}
