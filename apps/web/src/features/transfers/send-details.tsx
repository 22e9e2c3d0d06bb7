import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { corridorOf, DIRECTIONS, reverseOf } from '@vuka/money/directions';
import { ArrowUpDown, ChevronDown } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { afterPress } from '#shared/after-press.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { showError } from '#shared/toast-store.ts';
import { Button } from '#shared/ui/button.tsx';
import { Notice } from '#shared/ui/notice.tsx';
import { StepLayout } from '#shared/ui/step-layout.tsx';
import { useErrorFocus } from '#shared/use-error-focus.ts';
import { useOnline } from '#shared/use-online.ts';
import { AmountCard } from './amount-card.tsx';
import { RecipientField } from './recipient-field.tsx';
import { AMOUNT_EXCEEDS, amountError, phoneError } from './transfer-details.ts';
import type { TransferDetails, TransferDraft } from './transfer-draft.ts';
import type { PriceView } from './use-price.ts';

const MESSAGES = i18n('send-details', {
  direction: 'Direction',
  pair: params('{source} to {target}'),
  swap: 'Swap currencies',
  review: 'Review Transfer',
  checkForm: 'Please check the form',
  fillIn: 'Please fill in all required fields correctly',
  unanswered: 'Your last attempt got no answer',
  sentElsewhere: 'This transfer was already sent',
  sentElsewhereDetail: 'Perhaps from another tab. Check your transactions before you send again.',
  unansweredDetail: 'Review and confirm it again: the same transfer is never sent twice.',
});

interface SendDetailsProps {
  draft: TransferDraft;
  /** Whether the draft was just cleared because another tab sent it. */
  wasSentElsewhere: boolean;
  balance: string | undefined;
  priceView: PriceView;
  /** The server's refusals of these details. */
  refusals: Refusals;
  onChange: (changes: Partial<TransferDetails>) => void;
  /** Finds the largest amount that the balance can pay. */
  onUseAll: () => Promise<void>;
  onReview: () => void;
}

type Field = 'amount' | 'phone';
type Refusals = Record<Field, string | undefined>;

/**
 * An error shows once its field was left or the form submitted. A refusal by the server, or an amount above the
 * balance, shows at once. An amount that cannot be sent disables the button.
 */
function useDetailsErrors({ draft, balance, priceView, refusals }: SendDetailsProps) {
  const [shown, setShown] = useState<Record<Field, boolean>>({ amount: false, phone: false });
  const found = {
    // The balance already lacks the money of an attempt that was accepted.
    amount: amountError(draft.amount, draft.attempt ? undefined : balance, priceView.price?.fee) ?? refusals.amount,
    phone: phoneError(draft.phone) ?? refusals.phone,
  };
  const isLocked = found.amount === AMOUNT_EXCEEDS || refusals.amount !== undefined;
  return {
    found,
    isLocked,
    visible: {
      amount: shown.amount || isLocked ? found.amount : undefined,
      phone: shown.phone || refusals.phone ? found.phone : undefined,
    },
    show: (field: Field) => setShown((before) => ({ ...before, [field]: true })),
    showAll: () => setShown({ amount: true, phone: true }),
  };
}

/** The choice of the wallet that pays, and a button that reverses the direction. */
function DirectionChoice({
  direction,
  onChange,
}: {
  direction: TransferDraft['direction'];
  onChange: SendDetailsProps['onChange'];
}) {
  const t = useStore(MESSAGES);
  const back = reverseOf(direction);
  return (
    <div className="flex max-w-full gap-1.5">
      <div className="relative min-w-0">
        <select
          aria-label={t.direction}
          name="direction"
          className="min-h-11 w-full appearance-none text-ellipsis rounded-control bg-sunken py-1 pr-9 pl-3 font-semibold"
          value={direction}
          onChange={(event) => onChange({ direction: event.target.value as TransferDraft['direction'] })}
        >
          {DIRECTIONS.map((value) => (
            <option key={value} value={value}>
              {t.pair(corridorOf(value))}
            </option>
          ))}
        </select>
        <ChevronDown aria-hidden className="pointer-events-none absolute top-3 right-2.5 size-5 text-ink3" />
      </div>
      {back ? (
        <button
          type="button"
          aria-label={t.swap}
          className="grid size-11 shrink-0 place-items-center rounded-control bg-sunken text-primary hover:bg-primary-soft"
          onClick={() => onChange({ direction: back })}
        >
          <ArrowUpDown aria-hidden className="size-5" />
        </button>
      ) : null}
    </div>
  );
}

export function SendDetails(props: SendDetailsProps) {
  const { draft, wasSentElsewhere, balance, priceView, onChange, onUseAll, onReview } = props;
  const t = useStore(MESSAGES);
  const errors = useDetailsErrors(props);
  const [isAboveLimit, setIsAboveLimit] = useState(false);
  // Offline there is nothing to confirm; the bar at the top says why.
  const isDisabled = !useOnline() || errors.isLocked;
  const { formRef, focusError } = useErrorFocus();
  const leave = (field: 'amount' | 'phone') => () => {
    if (draft[field] !== '') afterPress(() => errors.show(field));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    errors.showAll();
    if (!errors.found.amount && !errors.found.phone) {
      onReview();
      return;
    }
    showError(t.checkForm, t.fillIn);
    focusError();
  };
  return (
    <form ref={formRef} noValidate className="grid grid-cols-[minmax(0,1fr)] gap-5" onSubmit={submit}>
      {wasSentElsewhere ? (
        <Notice tone="warn" role="status" title={t.sentElsewhere}>
          {t.sentElsewhereDetail}
        </Notice>
      ) : null}
      {draft.attempt ? (
        <Notice tone="warn" title={t.unanswered}>
          {t.unansweredDetail}
        </Notice>
      ) : null}
      <StepLayout
        // On an empty form a sticky button would cover the recent recipients. A disabled one would cover the error that
        // says why, and one above a limit the notice.
        isResting={isDisabled || isAboveLimit || draft.amount === ''}
        aside={
          <RecipientField
            direction={draft.direction}
            phone={draft.phone}
            error={errors.visible.phone}
            onRecipient={onChange}
            onBlur={leave('phone')}
          />
        }
        action={
          <Button
            type="submit"
            variant={isAboveLimit ? 'secondary' : 'primary'}
            className="w-full"
            disabled={isDisabled}
          >
            {t.review}
          </Button>
        }
      >
        <AmountCard
          choice={<DirectionChoice direction={draft.direction} onChange={onChange} />}
          draft={draft}
          balance={balance}
          priceView={priceView}
          error={errors.visible.amount}
          onAmount={(amount) => onChange({ amount })}
          onUseAll={onUseAll}
          onBlur={leave('amount')}
          onAboveLimit={setIsAboveLimit}
        />
      </StepLayout>
    </form>
  );
}
