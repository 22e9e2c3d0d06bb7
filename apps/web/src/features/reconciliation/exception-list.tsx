import { count, params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { type ExceptionResolution, type PayoutException, ResolveException } from '@vuka/contracts/http/reconciliation';
import { ChevronRight, CircleCheck } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { DecisionButton } from '#shared/admin/decision-button.tsx';
import { DecisionDialog } from '#shared/admin/decision-dialog.tsx';
import { ListEnd } from '#shared/admin/list-end.tsx';
import { type ReviewFact, ReviewItem } from '#shared/admin/review-item.tsx';
import { TakeButton } from '#shared/admin/take-button.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { formatDayAndTime } from '#shared/format/date.ts';
import { formatExactAmount } from '#shared/format/exact-amount.ts';
import { formatPhone } from '#shared/format/phone.ts';
import { unbroken } from '#shared/format/unbroken.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { EmptyState } from '#shared/ui/empty-state.tsx';
import { RECONCILIATION_KEY, resolveException, takeException } from './reconciliation.api.ts';

const MESSAGES = i18n('admin/payout-exceptions', {
  empty: 'No differences: every payment is in the books as the provider made it.',
  noneOpen: 'Every difference is resolved.',
  resolvedCount: count({ one: '{count} resolved', many: '{count} resolved' }),
  paid_without_order: 'Paid without an order from us',
  paid_but_failed: 'Paid, though it failed in our books',
  paid_twice: 'Paid more than once',
  different_figures: 'Paid with different details',
  not_on_statement: 'Paid in our books, not on the statement',
  contradicting_outcome: 'A later report contradicts the outcome',
  different_amount: 'Reported with a different amount',
  different_currency: 'Reported with a different currency',
  different_msisdn: 'Reported with a different number',
  missing_figures: 'Reported with details missing',
  unknown_failure: 'Reported as failed, for an unknown reason',
  lost_by_provider: 'Accepted, then no longer known to the provider',
  ours: 'Our books',
  theirs: 'The provider',
  nothing: 'None',
  state_submitting: 'submitting',
  state_accepted: 'accepted',
  state_enqueued: 'enqueued',
  state_processing: 'processing',
  state_reconciling: 'reconciling',
  state_completed: 'completed',
  state_failed: 'failed',
  state_unknown: 'unknown',
  payout: 'Payout',
  looksAfter: params('{who} is working on it'),
  looksAfterFirst: params('{who} is working on it. Ask before you take it over.'),
  resolvedBy: params('{who}, {when}: {note}'),
  take: 'Assign to me',
  takeOver: 'Take over',
  resolve: 'Resolve',
  takeFailed: 'It was not assigned to you',
  resolveTitle: 'Resolve this exception?',
  resolveDetail: 'This moves no money. Write what was found and what was done, for anyone who reads it later.',
  note: 'Note',
  confirm: 'Resolve exception',
  paid: 'Was paid',
  notPaid: 'Was not paid',
  paidTitle: 'Was the recipient paid?',
  paidDetail:
    'The transfer is settled with the ordered amount, and this cannot be undone. Write how the provider confirmed it.',
  notPaidTitle: 'Was the recipient not paid?',
  notPaidDetail:
    'The sender gets the money back, and that cannot be undone. Write how the provider confirmed that no one was paid.',
  lastSeen: 'Last reported',
  holds: 'Its transfer waits for your decision',
  done: 'Exception resolved',
  failed: 'The exception was not resolved',
});

type Texts = ReturnType<typeof MESSAGES.get>;

/** The text for a value from the services, in the user's language; an unknown value is shown as it is. */
function textOf(t: Texts, key: string, otherwise: string): string {
  return (t as unknown as Record<string, string>)[key] ?? otherwise;
}

/** The parts of one side of a difference: "23,030 TZS", "+255 763 456 700", "completed". Null without a record. */
function sideParts(side: unknown, t: Texts): Record<string, string> | null {
  if (typeof side !== 'object' || side === null) return null;
  const { amount, currency, msisdn, state, payments, unknownFailure } = side as Record<string, unknown>;
  return {
    ...(amount ? { amount: formatExactAmount(String(amount), String(currency ?? '')).trim() } : {}),
    ...(msisdn ? { msisdn: unbroken(formatPhone(String(msisdn))) } : {}),
    ...(state ? { state: textOf(t, `state_${state}`, String(state)) } : {}),
    ...(unknownFailure ? { unknownFailure: String(unknownFailure) } : {}),
    ...(Number(payments) > 1 ? { payments: `× ${payments}` } : {}),
  };
}

/** One side, a part on each line, with what the other side reports differently marked. */
function sideLines(side: Record<string, string> | null, other: Record<string, string> | null, t: Texts): ReactNode {
  if (!side) return t.nothing;
  return Object.entries(side).map(([key, text]) => (
    <span key={key} className="block">
      {other?.[key] !== undefined && other[key] !== text ? (
        <mark className="bg-warn-soft text-warn-ink">{text}</mark>
      ) : key === 'state' ? (
        <span className="capital-first">{text}</span>
      ) : (
        text
      )}
    </span>
  ));
}

/** The parts of both sides; a report on one of our payouts names only the provider's side. */
function partsOf({ details }: PayoutException, t: Texts) {
  const hasSides = 'ours' in details || 'theirs' in details;
  return {
    hasSides,
    ours: sideParts(details.ours, t),
    theirs: sideParts(hasSides ? details.theirs : details, t),
  };
}

/** What our books and the provider say of a payment. */
function sidesOf(exception: PayoutException, t: Texts): [string, ReactNode][] {
  const { hasSides, ours, theirs } = partsOf(exception, t);
  return [
    ...(hasSides ? ([[t.ours, sideLines(ours, theirs, t)]] as [string, ReactNode][]) : []),
    [t.theirs, sideLines(theirs, ours, t)],
  ];
}

function factsOf(exception: PayoutException, t: Texts): ReviewFact[] {
  const { payoutId, createdAt, lastSeenAt } = exception;
  const lastSeen: [string, string] = [t.lastSeen, formatDayAndTime(lastSeenAt)];
  const isRepeated = lastSeenAt !== createdAt;
  return [
    ...sidesOf(exception, t),
    [
      t.payout,
      <span key="id" className="text-caption font-normal">
        {payoutId}
      </span>,
      'wide',
    ],
    ...(isRepeated ? [lastSeen] : []),
  ];
}

type Outcome = ExceptionResolution['outcome'];

/** The question before an exception is closed. */
function questionOf(outcome: Outcome, t: Texts) {
  switch (outcome) {
    case 'paid':
      return { title: t.paidTitle, detail: t.paidDetail, confirm: t.paid };
    case 'not_paid':
      return { title: t.notPaidTitle, detail: t.notPaidDetail, confirm: t.notPaid, isDanger: true };
    case undefined:
      return { title: t.resolveTitle, detail: t.resolveDetail, confirm: t.confirm };
  }
}

/** The open exceptions, with who is working on each; the resolved ones are folded away below them. */
export function ExceptionList({ exceptions }: { exceptions: readonly PayoutException[] }) {
  const t = useStore(MESSAGES);
  const [resolving, setResolving] = useState<{ exception: PayoutException; outcome: Outcome }>();
  const open = exceptions.filter(({ state }) => state === 'open');
  const resolved = exceptions.filter(({ state }) => state === 'resolved');
  const items = (listed: readonly PayoutException[]) =>
    listed.map((exception) => (
      <Item key={exception.id} exception={exception} onResolve={(outcome) => setResolving({ exception, outcome })} />
    ));
  return (
    <>
      <div className="border-t border-line">
        {open.length > 0 ? (
          <ul className="divide-y divide-line">{items(open)}</ul>
        ) : (
          <EmptyState Icon={CircleCheck} title={exceptions.length > 0 ? t.noneOpen : t.empty} />
        )}
      </div>
      {resolved.length > 0 ? (
        <details className="group border-t border-line">
          <summary className="flex min-h-12 cursor-pointer list-none items-center gap-3 px-4 text-small font-medium text-ink2 -outline-offset-3 hover:bg-sunken sm:px-5 [&::-webkit-details-marker]:hidden">
            <ChevronRight aria-hidden className="size-5 shrink-0 text-ink3 transition-transform group-open:rotate-90" />
            {t.resolvedCount(resolved.length)}
          </summary>
          <ul className="divide-y divide-line border-t border-line">{items(resolved)}</ul>
        </details>
      ) : null}
      <ListEnd list="payoutExceptions" length={exceptions.length} />
      {resolving ? (
        <DecisionDialog
          {...questionOf(resolving.outcome, t)}
          facts={sidesOf(resolving.exception, t)}
          field={{ name: 'note', label: t.note, maxLength: 500 }}
          schema={ResolveException}
          decide={(typed) => resolveException(resolving.exception, typed, resolving.outcome)}
          outcome={{ done: t.done, failed: t.failed, failedDetail: t.failed }}
          listKey={RECONCILIATION_KEY}
          onClose={() => setResolving(undefined)}
        />
      ) : null}
    </>
  );
}

interface ItemProps {
  exception: PayoutException;
  onResolve: (outcome: Outcome) => void;
}

function Item({ exception, onResolve }: ItemProps) {
  const t = useStore(MESSAGES);
  const { ours, theirs } = partsOf(exception, t);
  const amount = (theirs ?? ours)?.amount;
  return (
    <ReviewItem
      title={
        <p
          className={`flex flex-wrap items-baseline gap-x-2 font-semibold ${exception.state === 'open' ? 'text-bad-ink' : 'text-ink2'}`}
        >
          {amount ? <span className="nums text-card font-bold text-ink">{amount}</span> : null}{' '}
          {textOf(t, exception.kind, exception.kind)}
        </p>
      }
      createdAt={exception.createdAt}
      transactionId={exception.transactionId}
      facts={factsOf(exception, t)}
    >
      <Care exception={exception} onResolve={onResolve} />
    </ReviewItem>
  );
}

/** Returns the focus to what the caller has taken on: the button that they pressed is gone. */
function useFocusOnceTaken(isTaken: boolean) {
  const ref = useRef<HTMLDivElement>(null);
  const wasTaken = useRef(isTaken);
  useEffect(() => {
    const isLost = document.activeElement === document.body;
    if (isTaken && !wasTaken.current && isLost) ref.current?.focus();
    wasTaken.current = isTaken;
  }, [isTaken]);
  return ref;
}

function Care({ exception, onResolve }: ItemProps) {
  const t = useStore(MESSAGES);
  const mayDecide = useMayDo()('reconciliation.decide');
  const { owner, isOwnedByCaller, note, resolvedAt, holdsTransfer } = exception;
  const ref = useFocusOnceTaken(isOwnedByCaller);
  if (resolvedAt)
    return (
      <p className="max-w-80 text-small break-words text-ink2 md:text-right">
        {t.resolvedBy({ who: owner ?? '', when: formatDayAndTime(resolvedAt), note: note ?? '' })}
      </p>
    );
  return (
    <div ref={ref} tabIndex={-1} className="grid content-start gap-2 outline-none md:justify-items-end">
      {holdsTransfer ? <p className="text-caption text-bad-ink md:text-right">{t.holds}</p> : null}
      {owner ? <Carer who={owner} mayTakeOver={mayDecide && !isOwnedByCaller} /> : null}
      {mayDecide ? (
        <div className="flex flex-wrap gap-2 md:justify-end">
          {owner && !isOwnedByCaller ? null : <Decisions holdsTransfer={holdsTransfer} onResolve={onResolve} />}
          {isOwnedByCaller ? null : (
            <TakeButton
              take={() => takeException(exception)}
              text={owner ? t.takeOver : t.take}
              failed={t.takeFailed}
              listKey={RECONCILIATION_KEY}
            />
          )}
        </div>
      ) : null}
    </div>
  );
}

function Carer({ who, mayTakeOver }: { who: string; mayTakeOver: boolean }) {
  const t = useStore(MESSAGES);
  const text = mayTakeOver ? t.looksAfterFirst : t.looksAfter;
  return <p className="text-caption text-ink2 md:text-right">{text({ who })}</p>;
}

function Decisions({ holdsTransfer, onResolve }: { holdsTransfer: boolean; onResolve: ItemProps['onResolve'] }) {
  const t = useStore(MESSAGES);
  if (!holdsTransfer) return <DecisionButton onClick={() => onResolve(undefined)}>{t.resolve}</DecisionButton>;
  return (
    <>
      <DecisionButton onClick={() => onResolve('paid')}>{t.paid}</DecisionButton>
      <DecisionButton variant="secondary" onClick={() => onResolve('not_paid')}>
        {t.notPaid}
      </DecisionButton>
    </>
  );
}
