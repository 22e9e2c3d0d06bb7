import { Copy, Share2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ReceiptTransaction } from '#shared/api/transactions.api.ts';
import { formatDayAndTime } from '#shared/format/date.ts';
import { formatAmount } from '#shared/format/money.ts';
import { formatPhone } from '#shared/format/phone.ts';
import { statusView } from '#shared/status-view.ts';
import { Button } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { StatusBadge } from '#shared/ui/status-badge.tsx';
import { copyTransactionId, shareReceipt } from './share-receipt.ts';
import { StatusTimeline } from './status-timeline.tsx';
import { directionText, inverseRateText, receiptRateText, receiptText } from './transaction-view.ts';

const TEXT = {
  sent: 'Amount Sent',
  received: 'Amount Received',
  rate: 'Exchange Rate',
  fee: 'Fee',
  direction: 'Direction',
  recipient: 'Recipient Info',
  recipientPending: 'Pending...',
  date: 'Date',
  id: 'Transaction ID',
  copyId: 'Copy transaction ID',
  share: 'Share Receipt',
  failed: 'Nothing was sent. The amount is back in your balance.',
} as const;

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 py-3">
      <dt className="text-small text-ink2">{label}</dt>
      <dd className="nums min-w-0 text-right font-medium">{children}</dd>
    </div>
  );
}

function ReceiptFacts({ receipt }: { receipt: ReceiptTransaction }) {
  const inverse = inverseRateText(receipt);
  const phone = receipt.metadata?.recipientPhone;
  return (
    <dl className="divide-y divide-line px-4 sm:px-5">
      <Fact label={TEXT.sent}>{formatAmount(receipt.source_amount, receipt.source_currency)}</Fact>
      <Fact label={TEXT.received}>{formatAmount(receipt.target_amount, receipt.target_currency)}</Fact>
      <Fact label={TEXT.rate}>
        {receiptRateText(receipt)}
        {inverse ? <span className="block text-caption font-normal text-ink3">{inverse}</span> : null}
      </Fact>
      <Fact label={TEXT.fee}>{formatAmount(receipt.fee, receipt.source_currency)}</Fact>
      <Fact label={TEXT.direction}>
        {directionText(receipt.direction, receipt.source_currency, receipt.target_currency)}
      </Fact>
      <Fact label={TEXT.recipient}>{phone ? formatPhone(phone) : TEXT.recipientPending}</Fact>
      <Fact label={TEXT.date}>{formatDayAndTime(receipt.created_at)}</Fact>
      <div className="relative py-3 pr-14">
        <dt className="text-small text-ink2">{TEXT.id}</dt>
        <dd className="nums text-small break-all">
          {receipt.id}
          <button
            type="button"
            aria-label={TEXT.copyId}
            className="no-print absolute top-2.5 -right-2 grid size-12 place-items-center rounded-control text-primary hover:bg-primary-soft"
            onClick={() => void copyTransactionId(receipt.id)}
          >
            <Copy aria-hidden className="size-5" />
          </button>
        </dd>
      </div>
    </dl>
  );
}

export function Receipt({ receipt }: { receipt: ReceiptTransaction }) {
  const isFailed = statusView(receipt.status, 'receipt').tone === 'red';
  return (
    <div className="grid gap-4">
      <Card className="overflow-hidden">
        <div className="flex flex-col items-center px-4 pt-6 pb-5 text-center">
          <StatusBadge status={receipt.status} place="receipt" />
          <p className="nums mt-3 text-amount font-bold tracking-amount">
            {formatAmount(receipt.source_amount, receipt.source_currency)}
          </p>
          <p className="mt-1 text-small text-ink2">{formatDayAndTime(receipt.created_at)}</p>
          {isFailed ? <p className="mt-3 max-w-[44ch] text-small text-bad">{TEXT.failed}</p> : null}
        </div>
        <div className="border-t border-line px-4 py-5 sm:px-5">
          <StatusTimeline key={receipt.id} receipt={receipt} />
        </div>
      </Card>
      <Card>
        <ReceiptFacts receipt={receipt} />
      </Card>
      <Button className="no-print w-full" onClick={() => void shareReceipt(receiptText(receipt))}>
        <Share2 aria-hidden className="size-5" />
        {TEXT.share}
      </Button>
    </div>
  );
}
