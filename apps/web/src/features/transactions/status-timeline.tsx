import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { type ReceiptTransaction, timelineQuery } from '#shared/api/receipts.api.ts';
import { formatTimeOn } from '#shared/format/date.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { NOTE_TEXTS, noteText } from '#shared/i18n/transfer-notes.ts';
import { Notice } from '#shared/ui/notice.tsx';
import { heldStage, type StepState, type TimelineStep, timelineSteps } from './timeline-view.ts';
import { isOwnMoney } from './transaction-view.ts';

const MESSAGES = i18n('status-timeline', {
  title: 'Progress',
  done: 'done',
  current: 'in progress',
  ended: 'ended',
  upcoming: 'to come',
});

const STEP_MESSAGES = i18n('timeline-step', {
  received: 'Request received',
  sending: 'On its way',
  delivered: 'Delivered',
  waiting: 'Waiting for the provider',
  failed: 'Not delivered',
  cancelled: 'Cancelled',
});

const HELD_MESSAGES = i18n('held-money', {
  title: 'Your money is reserved',
  received:
    'We send it to the mobile network in a few seconds. It leaves your balance for good only when it has arrived.',
  sendingTitle: 'Most transfers arrive within a minute',
  sending: 'This page updates automatically. If there is no answer after 15 minutes, our team is alerted.',
  waitingTitle: 'This takes longer than usual',
  waiting:
    'Your money is reserved and safe. We check with the mobile network at least every 5 minutes, and our team can see this transfer. Either the recipient is paid, or the whole amount goes back to your balance. Please do not send it a second time.',
  withdrawalReceived:
    'Our team reviews large withdrawals, and all withdrawals to a bank. The money leaves your balance for good only when it has been paid.',
  toPhoneSending:
    'The mobile network is paying you. Most withdrawals arrive within a minute, and this page updates automatically. If there is no answer after 15 minutes, our team is alerted.',
  toBankSending:
    'Our team pays bank accounts by hand. This page updates automatically when yours has been paid; until then the money stays reserved.',
  toBankWaiting:
    'Your money is reserved and safe. Our team can see this withdrawal. Either your bank account is paid, or the whole amount goes back to your balance. Please do not request it a second time.',
});

type Stage = NonNullable<ReturnType<typeof heldStage>>;

/** The text for each stage, by the kind of recipient. */
const HELD_TEXTS = {
  transfer: { received: 'received', sending: 'sending', waiting: 'waiting' },
  toPhone: { received: 'withdrawalReceived', sending: 'toPhoneSending', waiting: 'waiting' },
  toBank: { received: 'withdrawalReceived', sending: 'toBankSending', waiting: 'toBankWaiting' },
} as const;

function wayOf({ type, metadata }: ReceiptTransaction): keyof typeof HELD_TEXTS {
  if (type !== 'withdrawal') return 'transfer';
  return metadata?.recipientAccount ? 'toBank' : 'toPhone';
}

const DOT: Record<StepState, string> = {
  done: 'bg-ok text-surface',
  current: 'bg-surface ring-2 ring-inset ring-primary text-primary',
  failed: 'bg-bad text-surface',
  upcoming: 'bg-surface ring-2 ring-inset ring-line',
};

function Dot({ state }: { state: StepState }) {
  return (
    <span className={`relative grid size-6 shrink-0 place-items-center rounded-full ${DOT[state]}`}>
      {state === 'done' ? <Check aria-hidden className="size-4" strokeWidth={3} /> : null}
      {state === 'failed' ? <X aria-hidden className="size-4" strokeWidth={3} /> : null}
      {state === 'current' ? <span aria-hidden className="size-2.5 rounded-full bg-primary" /> : null}
    </span>
  );
}

interface StepProps {
  step: TimelineStep;
  /** When the first step began, whose day the receipt shows. */
  since: string;
  isLast: boolean;
}

function Step({ step, since, isLast }: StepProps) {
  const t = useStore(MESSAGES);
  const names = useStore(STEP_MESSAGES);
  useStore(NOTE_TEXTS);
  const isQuiet = step.state === 'upcoming';
  return (
    <li className="relative flex gap-3 pb-5 last:pb-0" aria-current={step.state === 'current' ? 'step' : undefined}>
      {isLast ? null : (
        <span
          aria-hidden
          className={`absolute top-7 bottom-1 left-[11px] w-0.5 rounded-full ${step.state === 'done' ? 'bg-ok' : 'bg-line'}`}
        />
      )}
      <Dot state={step.state} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className={isQuiet ? 'text-ink3' : 'font-medium'}>
            {names[step.name]} <span className="sr-only">({t[step.state === 'failed' ? 'ended' : step.state]})</span>
          </span>
          {step.at ? (
            <time dateTime={step.at} className="nums text-small text-ink3">
              {formatTimeOn(step.at, since, true)}
            </time>
          ) : null}
        </p>
        {step.note ? <p className="text-small text-ink2">{noteText(step.note, step.codes)}</p> : null}
      </div>
    </li>
  );
}

/** The lifecycle; the receipt's own status is used where the lifecycle cannot be loaded. */
export function StatusTimeline({ receipt }: { receipt: ReceiptTransaction }) {
  const t = useStore(MESSAGES);
  const rows = useQuery(timelineQuery(receipt.id, receipt.status)).data;
  const { status, status_reason: notes, status_reason_codes: codes, updated_at: timestamp } = receipt;
  const fallback = [{ status, notes, codes, timestamp }];
  // After a change of status the receipt may be newer than the lifecycle rows.
  const known = rows?.length ? rows : fallback;
  const steps = timelineSteps(known);
  const stage = heldStage(known);
  return (
    <section aria-label={t.title} aria-live="polite">
      <ol>
        {steps.map((step, index) => (
          <Step
            key={`${step.name}-${step.at ?? 'next'}`}
            step={step}
            since={receipt.created_at}
            isLast={index === steps.length - 1}
          />
        ))}
      </ol>
      {stage && isOwnMoney(receipt) ? <HeldMoney stage={stage} way={wayOf(receipt)} /> : null}
    </section>
  );
}

/** What happens next, and when, while the transfer is open. */
function HeldMoney({ stage, way }: { stage: Stage; way: keyof typeof HELD_TEXTS }) {
  const t = useStore(HELD_MESSAGES);
  const isWaiting = stage === 'waiting';
  const open = stage === 'sending' && way === 'transfer' ? t.sendingTitle : t.title;
  return (
    <div className="mt-5">
      <Notice tone={isWaiting ? 'warn' : 'info'} title={isWaiting ? t.waitingTitle : open}>
        <p>{t[HELD_TEXTS[way][stage]]}</p>
      </Notice>
    </div>
  );
}
