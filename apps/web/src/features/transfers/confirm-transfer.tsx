import { useStore } from '@nanostores/react';
import { corridorOf } from '@vuka/money/directions';
import { recipientPrefix } from '@vuka/money/phones';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useSavedName } from '#shared/api/recipients.api.ts';
import { formatExactAmount } from '#shared/format/exact-amount.ts';
import { formatWhole, groupDigits } from '#shared/format/money.ts';
import { formatPhone } from '#shared/format/phone.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { lazyExtra } from '#shared/lazy-extra.tsx';
import { showError, showToast } from '#shared/toast-store.ts';
import { BackButton } from '#shared/ui/back-button.tsx';
import { Button } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { CurrencyTag } from '#shared/ui/currency-tag.tsx';
import { Figure } from '#shared/ui/figure.tsx';
import { Notice } from '#shared/ui/notice.tsx';
import { PageTitle } from '#shared/ui/page-title.tsx';
import { PinCells } from '#shared/ui/pin-cells.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { StepLayout } from '#shared/ui/step-layout.tsx';
import { useOnline } from '#shared/use-online.ts';
import { usePinState } from '#shared/use-pin-state.ts';
import { Countdown } from './countdown.tsx';
import { PriceChange, priceKey } from './price-change.tsx';
import { RateText } from './price-lines.tsx';
import { totalTaken } from './total-taken.ts';
import { pinError } from './transfer-details.ts';
import type { Price, TransferDraft } from './transfer-draft.ts';
import type { PriceView } from './use-price.ts';

const MESSAGES = i18n('confirm-transfer', {
  title: 'Confirm Transfer',
  back: 'Back to details',
  amount: 'Transfer amount',
  receives: 'Recipient receives',
  recipient: 'Recipient phone',
  rate: 'Rate',
  fee: 'Fee',
  total: 'Taken from your balance',
  pin: 'Enter your 4-digit PIN',
  confirm: 'Confirm Transfer',
  processing: 'Processing...',
  wait: 'Please wait',
  alreadyProcessing: 'Your transfer is already being processed',
  pinRequired: 'PIN Required',
  enterPin: 'Please enter your PIN to confirm this transaction',
  noPrice: 'The price could not be loaded',
  tryAgain: 'Try again',
  keepOpen: 'Please keep this page open. You will not be charged twice.',
  slow: 'This takes longer than usual. You can confirm again: the same transfer is never sent twice.',
  unanswered: 'No answer arrived, so we cannot tell if your transfer did. Confirm again: it is never sent twice.',
  offline: 'You are offline. Connect to the internet to send.',
});

const RecipientHolder = lazyExtra(() => import('./recipient-holder.tsx').then((file) => file.RecipientHolder));

const LimitNotice = lazyExtra(() => import('#shared/limits/limit-notice.tsx').then((file) => file.LimitNotice));

interface ConfirmTransferProps {
  /** The owner of the PIN, for password managers. */
  username: string;
  draft: TransferDraft;
  priceView: PriceView;
  /** The price on the details step. An estimate, which has no fee, is not one to compare a quote with. */
  reviewed: Pick<PriceView, 'price' | 'isFirm'>;
  isSending: boolean;
  isSlow: boolean;
  /** Increases with each failed attempt. */
  failureCount: number;
  serverPinError: string | undefined;
  onBack: () => void;
  /** Returns false if the transfer is already being sent. */
  onConfirm: (price: Price, pin: string) => boolean;
}

/** The note is below the label, across the line. */
function Fact({ label, note, children }: { label: string; note?: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 py-2.5">
      <dt className="text-small text-ink2">{label}</dt>
      <dd className="ml-auto min-w-0 text-right font-medium">{children}</dd>
      {note ? <dd className="w-full text-caption text-ink2">{note}</dd> : null}
    </div>
  );
}

function Facts({ draft, price }: { draft: TransferDraft; price: Price | undefined }) {
  const t = useStore(MESSAGES);
  const { source, target } = corridorOf(draft.direction);
  const phone = recipientPrefix(draft.direction) + draft.phone;
  const name = useSavedName(phone);
  const total = price && totalTaken(draft.amount, price);
  return (
    <Card>
      <dl className="divide-y divide-line px-4 sm:px-5">
        <div className="pt-5 pb-3">
          <dt className="text-small text-ink2">{t.amount}</dt>
          <dd className="nums text-amount font-bold tracking-amount">
            <Figure text={groupDigits(draft.amount)} /> <CurrencyTag currency={source} />
          </dd>
        </div>
        <div className="py-2.5">
          <dt className="text-small text-ink2">{t.receives}</dt>
          <dd className="nums min-h-8.5 text-h1 font-bold tracking-amount">
            {price ? (
              <>
                <Figure text={formatWhole(price.targetAmount)} /> <CurrencyTag currency={target} />
              </>
            ) : (
              <Skeleton className="h-8 w-44" />
            )}
          </dd>
        </div>
        <Fact label={t.recipient}>
          {name === undefined ? null : <span className="block font-semibold break-words">{name}</span>}
          <span className="text-card font-semibold">{formatPhone(phone)}</span>
          <span className="block min-h-5 text-caption font-normal text-ink2">
            <RecipientHolder phone={phone} />
          </span>
        </Fact>
        <Fact
          label={t.rate}
          note={price?.heldUntilMs === undefined || draft.attempt ? null : <Countdown untilMs={price.heldUntilMs} />}
        >
          {price ? <RateText direction={draft.direction} rate={price.rate} /> : <Skeleton className="h-6 w-36" />}
        </Fact>
        {price?.fee === undefined ? null : (
          <Fact label={t.fee}>
            <span className="nums">{formatExactAmount(price.fee, source)}</span>
          </Fact>
        )}
        {total === undefined ? null : (
          <Fact label={t.total}>
            <span className="nums font-semibold">{formatExactAmount(total, source)}</span>
          </Fact>
        )}
      </dl>
    </Card>
  );
}

function Heading({ isDisabled, onBack }: { isDisabled: boolean; onBack: () => void }) {
  const t = useStore(MESSAGES);
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <div className="flex items-center gap-1">
      <PageTitle title={t.title} />
      <BackButton label={t.back} isDisabled={isDisabled} onBack={onBack} />
      <h1 ref={ref} tabIndex={-1} className="text-title font-bold tracking-tight outline-none">
        {t.title}
      </h1>
    </div>
  );
}

/** A notice that the price changed, or a button to request it again. */
function PriceNotice({
  draft,
  priceView,
  reviewedPrice,
}: Pick<ConfirmTransferProps, 'draft' | 'priceView'> & { reviewedPrice: Price | undefined }) {
  const t = useStore(MESSAGES);
  const { price, error, refresh } = priceView;
  if (!price && error) {
    return (
      <Notice tone="bad" role="alert" title={t.noPrice}>
        <button type="button" className="min-h-8 font-semibold underline underline-offset-2" onClick={refresh}>
          {t.tryAgain}
        </button>
      </Notice>
    );
  }
  return price && reviewedPrice ? (
    <PriceChange direction={draft.direction} before={reviewedPrice} after={price} />
  ) : null;
}

interface SubmitProps extends Pick<ConfirmTransferProps, 'draft' | 'isSending' | 'isSlow'> {
  isFirm: boolean;
  isAboveLimit: boolean;
}

function Submit({ draft, isFirm, isAboveLimit, isSending, isSlow }: SubmitProps) {
  const t = useStore(MESSAGES);
  const isOnline = useOnline();
  return (
    <>
      {draft.attempt && !isSending ? (
        <div className="mb-3">
          <Notice tone="warn">{isSlow ? t.slow : t.unanswered}</Notice>
        </div>
      ) : null}
      {/* Above the button, which a phone keeps at the foot of the screen. */}
      {isOnline ? null : <p className="mb-3 text-center text-small text-ink2">{t.offline}</p>}
      <Button
        type="submit"
        variant={isAboveLimit ? 'secondary' : 'primary'}
        className="w-full"
        isPending={isSending}
        aria-disabled={isSending}
        disabled={!isFirm || !isOnline}
      >
        {isSending ? t.processing : t.confirm}
      </Button>
      <p className={`text-center text-small text-ink2 ${isSending ? 'mt-3' : ''}`} aria-live="polite">
        {isSending ? t.keepOpen : ''}
      </p>
    </>
  );
}

export function ConfirmTransfer(props: ConfirmTransferProps) {
  const t = useStore(MESSAGES);
  const { draft, priceView, isSending, isSlow, failureCount, serverPinError, onBack, onConfirm } = props;
  const { price, isFirm } = priceView;
  const [reviewedPrice, setReviewedPrice] = useState(props.reviewed.isFirm ? props.reviewed.price : undefined);
  // The details may be reviewed before their quote arrives.
  if (!reviewedPrice && price && isFirm) setReviewedPrice(price);
  const pinRef = useRef<HTMLInputElement>(null);
  const [localError, setLocalError] = useState<string>();
  const [isAboveLimit, setIsAboveLimit] = useState(false);
  const terms = priceKey(price);
  // A changed price clears the PIN, so that the user sees the new price before confirming.
  const [pin, setPin] = usePinState(`${terms}/${failureCount}`);
  useEffect(() => {
    if (failureCount > 0) pinRef.current?.focus();
  }, [failureCount]);
  const newTerms = reviewedPrice && terms !== priceKey(reviewedPrice) ? terms : '';
  // A changed price is shown at the top; scroll there, so that it is read before the PIN is typed again.
  useEffect(() => {
    if (newTerms) window.scrollTo(0, 0);
  }, [newTerms]);
  const changePin = (typed: string): void => {
    setLocalError(undefined);
    setPin(typed);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const problem = isSending ? undefined : pinError(pin);
    setLocalError(problem);
    if (problem) {
      if (pin === '') showError(t.pinRequired, t.enterPin);
      pinRef.current?.focus();
    } else if (price && isFirm && !onConfirm(price, pin)) {
      showToast({ title: t.wait, description: t.alreadyProcessing });
    }
  };
  return (
    <form noValidate className="grid grid-cols-[minmax(0,1fr)] gap-4" onSubmit={submit}>
      <Heading isDisabled={isSending} onBack={onBack} />
      <PriceNotice draft={draft} priceView={priceView} reviewedPrice={reviewedPrice} />
      <StepLayout
        // A sticky button would cover the PIN on a small phone, and cannot do anything before it is complete.
        isResting={pin.length < 4}
        isAsideCentred
        aside={
          <>
            {/* A limit counts an unanswered transfer that was accepted. */}
            {draft.attempt ? null : (
              <LimitNotice
                amount={draft.amount}
                currency={corridorOf(draft.direction).source}
                place={{ back: onBack }}
                onAbove={setIsAboveLimit}
              />
            )}
            <input type="text" name="username" autoComplete="username" value={props.username} readOnly hidden />
            <PinCells
              label={t.pin}
              value={pin}
              error={localError ?? (pin === '' ? serverPinError : undefined)}
              inputRef={pinRef}
              isDisabled={isSending}
              onChange={changePin}
            />
          </>
        }
        action={
          <Submit draft={draft} isFirm={isFirm} isAboveLimit={isAboveLimit} isSending={isSending} isSlow={isSlow} />
        }
      >
        {/* Only the amounts slide in: the button's bar spans the whole phone and would overflow while it slides. */}
        <div className="animate-step">
          <Facts draft={draft} price={price} />
        </div>
      </StepLayout>
    </form>
  );
}
