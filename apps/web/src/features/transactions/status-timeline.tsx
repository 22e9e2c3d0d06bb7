import { useQuery } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { type ReceiptTransaction, timelineQuery } from '#shared/api/transactions.api.ts';
import { formatTime } from '#shared/format/date.ts';
import { type StepState, type TimelineStep, timelineSteps } from './timeline-view.ts';

const TEXT = {
  title: 'Progress',
  state: { done: 'done', current: 'in progress', failed: 'ended', upcoming: 'to come' },
} as const;

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

function Step({ step, isLast }: { step: TimelineStep; isLast: boolean }) {
  const isQuiet = step.state === 'upcoming';
  return (
    <li className="relative flex gap-3 pb-5 last:pb-0" aria-current={step.state === 'current' ? 'step' : undefined}>
      {isLast ? null : <span aria-hidden className="absolute top-7 bottom-1 left-[11px] w-0.5 rounded-full bg-line" />}
      <Dot state={step.state} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className={isQuiet ? 'text-ink3' : 'font-medium'}>
            {step.label}
            <span className="sr-only">, {TEXT.state[step.state]}</span>
          </span>
          {step.at ? (
            <time dateTime={step.at} className="nums text-small text-ink3">
              {formatTime(step.at)}
            </time>
          ) : null}
        </p>
        {step.note ? <p className="text-small text-ink2">{step.note}</p> : null}
      </div>
    </li>
  );
}

/** The lifecycle; the receipt's own status stands in where it cannot be had. */
export function StatusTimeline({ receipt }: { receipt: ReceiptTransaction }) {
  const rows = useQuery(timelineQuery(receipt.id, receipt.status)).data;
  const fallback = [{ status: receipt.status, notes: receipt.status_reason, timestamp: receipt.updated_at }];
  // A status that just changed may be ahead of the rows on screen.
  const known = rows?.length ? rows : fallback;
  const steps = timelineSteps(known);
  return (
    <section aria-label={TEXT.title} aria-live="polite">
      <ol>
        {steps.map((step, index) => (
          <Step key={`${step.label}-${step.at ?? 'next'}`} step={step} isLast={index === steps.length - 1} />
        ))}
      </ol>
    </section>
  );
}
