import './receipt-print.css';
import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { splitPhone } from '@vuka/money/phones';
import { Printer, Send, Share2 } from 'lucide-react';
import { Link } from 'react-router-dom';
import { isFinalStatus, type ReceiptTransaction } from '#shared/api/receipts.api.ts';
import { formatDayAndTime } from '#shared/format/date.ts';
import { deliveryTime } from '#shared/format/delivery-time.ts';
import { formatExactAmount } from '#shared/format/exact-amount.ts';
import { formatAmount } from '#shared/format/money.ts';
import { unbroken } from '#shared/format/unbroken.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS, type TransferToSend } from '#shared/paths.ts';
import { hasFailed, isSettled, statusView } from '#shared/status-view.ts';
import { Button, type ButtonVariant, buttonClass } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { StatusBadge } from '#shared/ui/status-badge.tsx';
import { Wordmark } from '#shared/ui/wordmark.tsx';
import { ReceiptFacts } from './receipt-facts.tsx';
import { ReceiptVerification, useVerifyUrl } from './receipt-verification.tsx';
import { shareReceipt } from './share-receipt.ts';
import { StatusTimeline } from './status-timeline.tsx';
import {
  isOwnMoney,
  RECEIPT_MESSAGES,
  receiptDirectionText,
  receiptRateText,
  receiptText,
  recipientText,
} from './transaction-view.ts';
import { routeOf, TransferLine } from './transfer-line.tsx';

const MESSAGES = i18n('receipt', {
  again: 'Send again',
  share: 'Share Receipt',
  print: 'Print',
  delivered: params('delivered to {recipient}'),
  deliveredIn: params('delivered to {recipient} in {time}'),
  underWay: params('{amount} to {recipient}'),
  to: params('to {recipient}'),
  failed: 'Nothing was paid out. The amount is back in your balance.',
  scan: 'Scan to check that this receipt is genuine and see its current status.',
});

/** The receipt as a picture; the code that draws it is loaded on first use. */
async function drawPicture(receipt: ReceiptTransaction, verifyUrl: string | undefined): Promise<Blob> {
  const { drawReceipt } = await import('./receipt-image.ts');
  const words = RECEIPT_MESSAGES.get();
  return drawReceipt({
    status: statusView(receipt.status, 'receipt'),
    ...headlineOf(receipt),
    route: hasRoute(receipt) ? routeOf(receipt) : undefined,
    facts: [
      [words.sent, formatAmount(receipt.source_amount, receipt.source_currency)],
      [words.received, formatAmount(receipt.target_amount, receipt.target_currency)],
      ...(receipt.type === 'withdrawal' ? [] : [[words.rate, receiptRateText(receipt)] as const]),
      ...(receipt.fee === null ? [] : [[words.fee, formatExactAmount(receipt.fee, receipt.source_currency)] as const]),
      [words.direction, receiptDirectionText(receipt)],
      [words.recipient, recipientText(receipt)],
      [words.date, formatDayAndTime(receipt.created_at)],
      [words.id, receipt.id],
    ],
    verify: verifyUrl ? { url: verifyUrl, text: MESSAGES.get().scan } : undefined,
  });
}

/** Whether the money goes, or went, from one country to the other for the reader. */
const hasRoute = (receipt: ReceiptTransaction): boolean => receipt.type === 'transfer' && isOwnMoney(receipt);

interface Headline {
  amount: string;
  /** What happened to the money, if the status alone does not tell. */
  detail: string | undefined;
}

/** Whether the sender's own transfer to a phone was paid. */
function isDelivered(receipt: ReceiptTransaction): boolean {
  const isSent = hasRoute(receipt) && Boolean(receipt.metadata?.recipientPhone);
  return isSent && isSettled(receipt.status);
}

/**
 * "23,030 TZS", "delivered to +255 763 456 789 in 4 s": the received amount once the sender's own transfer to a phone
 * has arrived. Before that, and for every other transaction, the sent amount.
 */
function headlineOf(receipt: ReceiptTransaction): Headline {
  const t = MESSAGES.get();
  const sent = formatAmount(receipt.source_amount, receipt.source_currency);
  const arrives = formatAmount(receipt.target_amount, receipt.target_currency);
  const recipient = unbroken(recipientText(receipt));
  if (isDelivered(receipt)) {
    const time = deliveryTime(receipt);
    return { amount: arrives, detail: time ? t.deliveredIn({ recipient, time }) : t.delivered({ recipient }) };
  }
  const isToPhone = isOwnMoney(receipt) && receipt.metadata?.recipientPhone;
  if (!isToPhone) return { amount: sent, detail: undefined };
  const isEnded = isFinalStatus(receipt.status);
  return { amount: sent, detail: isEnded ? t.to({ recipient }) : t.underWay({ amount: arrives, recipient }) };
}

function Summary({ receipt }: { receipt: ReceiptTransaction }) {
  const t = useStore(MESSAGES);
  const isBack = statusView(receipt.status, 'receipt').tone === 'red' && isOwnMoney(receipt);
  const { amount, detail } = headlineOf(receipt);
  return (
    <div className="flex flex-col items-center px-4 pt-6 pb-5 text-center print:py-3">
      <div className="mb-2 hidden print:block">
        <Wordmark />
      </div>
      <StatusBadge status={receipt.status} place="receipt" />
      <p className="nums mt-3 text-amount font-bold tracking-amount print:mt-1">{amount}</p>
      <p className="mt-1 max-w-[40ch] text-balance text-ink2 print:hidden">{detail}</p>
      {hasRoute(receipt) ? (
        <div className="no-print mt-5 w-full max-w-90">
          <TransferLine receipt={receipt} />
        </div>
      ) : null}
      {isBack ? (
        <p className="mt-4 max-w-[44ch] rounded-control bg-ok-soft px-4 py-3 text-small text-balance text-ok-ink print:mt-1 print:p-0">
          {t.failed}
        </p>
      ) : null}
    </div>
  );
}

/** The details of the sender's own transfer to a phone, once it has ended: to fill in the form for another one. */
function sentDetails(receipt: ReceiptTransaction): TransferToSend | undefined {
  const phone = splitPhone(receipt.metadata?.recipientPhone ?? '')?.local;
  if (!phone || !hasRoute(receipt) || !isFinalStatus(receipt.status)) return undefined;
  const [amount = ''] = receipt.source_amount.split('.');
  return { sourceCurrency: receipt.source_currency, amount, phone };
}

/** On a phone a row of its own. */
function SendAgain({ details, variant }: { details: TransferToSend; variant: ButtonVariant }) {
  const t = useStore(MESSAGES);
  return (
    <Link to={PATHS.send} state={details} className={buttonClass(variant, 'w-full sm:w-auto')}>
      <Send aria-hidden className="size-5" />
      {t.again}
    </Link>
  );
}

export function Receipt({ receipt }: { receipt: ReceiptTransaction }) {
  const t = useStore(MESSAGES);
  const verifyUrl = useVerifyUrl(receipt.id);
  const again = sentDetails(receipt);
  // After a failure the next step is another attempt, and not the receipt.
  const first = again && hasFailed(receipt.status) ? again : undefined;
  const isReady = !first && isFinalStatus(receipt.status);
  const share = () => shareReceipt(receiptText(receipt, verifyUrl), () => drawPicture(receipt, verifyUrl));
  return (
    <div className="receipt-slip relative grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2 print:gap-1">
      <Card className="overflow-hidden">
        <Summary receipt={receipt} />
        <div className="no-print border-t border-line px-4 py-5 sm:px-5">
          <StatusTimeline key={receipt.id} receipt={receipt} />
        </div>
      </Card>
      {/* On a laptop in the line of the link back, at the right. */}
      <div className="no-print flex flex-wrap gap-3 lg:absolute lg:-top-16 lg:right-0">
        {first ? <SendAgain details={first} variant="primary" /> : null}
        <Button variant={isReady ? 'primary' : 'secondary'} className="flex-1" onClick={() => void share()}>
          <Share2 aria-hidden className="size-5" />
          {t.share}
        </Button>
        <Button variant="secondary" onClick={() => window.print()}>
          <Printer aria-hidden className="size-5" />
          <span className="max-sm:sr-only">{t.print}</span>
        </Button>
        {again && !first ? <SendAgain details={again} variant="secondary" /> : null}
      </div>
      <Card>
        <ReceiptFacts receipt={receipt} />
      </Card>
      <ReceiptVerification id={receipt.id} />
    </div>
  );
}
