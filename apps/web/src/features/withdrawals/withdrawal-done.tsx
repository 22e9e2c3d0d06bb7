import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import type { Withdrawal } from '@vuka/contracts/http/withdrawals';
import { CircleCheck, CircleX, Clock } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { maskAccount } from '#shared/format/account.ts';
import { formatExactAmount } from '#shared/format/exact-amount.ts';
import { formatAmount } from '#shared/format/money.ts';
import { formatPhone } from '#shared/format/phone.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { noteText } from '#shared/i18n/transfer-notes.ts';
import { receiptPath } from '#shared/paths.ts';
import { type Submitted, withRepeatNote } from '#shared/submission-key.ts';
import { showToast } from '#shared/toast-store.ts';
import { Button, buttonClass } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';

const MESSAGES = i18n('withdrawal-done', {
  accepted: 'Withdrawal on its way',
  acceptedDetail: params('{amount} is being sent to {name}.'),
  waiting: 'Withdrawal waiting for approval',
  acceptedNote: params('On its way to {name}.'),
  waitingNote: params('Reserved for {name}. Our team reviews it before it is paid.'),
  waitingDetail: params('{amount} is reserved for {name}. Our team reviews it before it is paid.'),
  failed: 'Withdrawal failed',
  fee: 'Fee',
  receipt: 'View receipt',
  again: 'Withdraw again',
});

/** For a withdrawal whose page was left before its answer. */
export function announceWithdrawal({ answer, isRepeat }: Submitted<Withdrawal>): void {
  const { title, detail } = outcomeOf(answer);
  showToast({
    title,
    description: withRepeatNote(detail, isRepeat),
    tone: answer.status === 'failed' ? 'destructive' : 'success',
    action: { label: MESSAGES.get().receipt, to: receiptPath(answer.id) },
  });
}

interface WithdrawalDoneProps {
  withdrawal: Withdrawal;
  /** Whether an earlier attempt, which got no answer, may have made it. */
  isRepeat: boolean;
  onAgain: () => void;
}

export function WithdrawalDone({ withdrawal, isRepeat, onAgain }: WithdrawalDoneProps) {
  const t = useStore(MESSAGES);
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => ref.current?.focus(), []);
  const { currency, fee, recipientAccount, bankName } = withdrawal;
  const { Icon, colour, title, note } = outcomeOf(withdrawal);
  return (
    <Card>
      <div className="flex flex-col items-center px-6 pt-6 pb-4 text-center text-balance">
        <Icon aria-hidden className={`size-12 rounded-full p-2.5 ${colour}`} />
        <p className="nums mt-3 text-amount font-bold tracking-amount">{formatAmount(withdrawal.amount, currency)}</p>
        <h2 ref={ref} tabIndex={-1} className="mt-1 text-card font-semibold outline-none">
          {title}
        </h2>
        <p className="mt-2 max-w-[44ch] text-ink2">{withRepeatNote(note, isRepeat)}</p>
        <p className="nums mt-1 text-small text-ink2">
          {bankName ? `${bankName}, ${maskAccount(recipientAccount)}` : formatPhone(recipientAccount)} · {t.fee}:{' '}
          {formatExactAmount(fee, currency)}
        </p>
        <Link to={receiptPath(withdrawal.id)} className={buttonClass('primary', 'mt-6 w-full sm:w-auto')}>
          {t.receipt}
        </Link>
        <Button variant="quiet" className="mt-2 w-full sm:w-auto" onClick={onAgain}>
          {t.again}
        </Button>
      </div>
    </Card>
  );
}

/** `detail` stands alone, `note` below the amount. A repeat of an unanswered attempt may find a withdrawal that has been decided on, or has failed, since. */
function outcomeOf({ status, statusReason, statusReasonCodes, ...withdrawal }: Withdrawal) {
  const t = MESSAGES.get();
  const facts = { amount: formatAmount(withdrawal.amount, withdrawal.currency), name: withdrawal.recipientName };
  if (status === 'failed') {
    const detail = noteText(statusReason ?? '', statusReasonCodes);
    return { Icon: CircleX, colour: 'bg-bad-soft text-bad', title: t.failed, detail, note: detail };
  }
  return status === 'awaiting_approval'
    ? {
        Icon: Clock,
        colour: 'bg-warn-soft text-warn-ink',
        title: t.waiting,
        detail: t.waitingDetail(facts),
        note: t.waitingNote(facts),
      }
    : {
        Icon: CircleCheck,
        colour: 'bg-ok-soft text-ok',
        title: t.accepted,
        detail: t.acceptedDetail(facts),
        note: t.acceptedNote(facts),
      };
}
