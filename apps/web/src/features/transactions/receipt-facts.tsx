import { useStore } from '@nanostores/react';
import { Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ReceiptTransaction } from '#shared/api/receipts.api.ts';
import { formatExactAmount } from '#shared/format/exact-amount.ts';
import { formatAmount } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { hasFailed } from '#shared/status-view.ts';
import { Moment } from '#shared/ui/moment.tsx';
import { copyTransactionId } from './share-receipt.ts';
import {
  inverseRateText,
  RECEIPT_MESSAGES,
  receiptDirectionText,
  receiptRateText,
  recipientText,
} from './transaction-view.ts';

const MESSAGES = i18n('receipt-facts', { copyId: 'Copy transaction ID' });

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 py-3 print:py-1.5">
      <dt className="text-small text-ink2">{label}</dt>
      <dd className="nums ml-auto min-w-0 text-right font-medium">{children}</dd>
    </div>
  );
}

export function ReceiptFacts({ receipt }: { receipt: ReceiptTransaction }) {
  const words = useStore(RECEIPT_MESSAGES);
  const t = useStore(MESSAGES);
  const inverse = inverseRateText(receipt);
  const unpaid = hasFailed(receipt.status) ? 'text-ink3 line-through' : '';
  return (
    <dl className="divide-y divide-line px-4 sm:px-5">
      <Fact label={words.sent}>
        <span className={unpaid}>{formatAmount(receipt.source_amount, receipt.source_currency)}</span>
      </Fact>
      <Fact label={words.received}>
        <span className={unpaid}>{formatAmount(receipt.target_amount, receipt.target_currency)}</span>
      </Fact>
      {receipt.type === 'withdrawal' ? null : (
        <Fact label={words.rate}>
          {receiptRateText(receipt)}
          {inverse ? <span className="block text-caption font-normal text-ink3">{inverse}</span> : null}
        </Fact>
      )}
      {receipt.fee === null ? null : (
        <Fact label={words.fee}>{formatExactAmount(receipt.fee, receipt.source_currency)}</Fact>
      )}
      <Fact label={words.direction}>{receiptDirectionText(receipt)}</Fact>
      <Fact label={words.recipient}>{recipientText(receipt)}</Fact>
      <Fact label={words.date}>
        <Moment at={receipt.created_at} />
      </Fact>
      <div className="relative py-3 print:py-1.5">
        <dt className="text-small text-ink2">{words.id}</dt>
        <dd className="nums text-caption wrap-break-word">
          {receipt.id}
          <button
            type="button"
            aria-label={t.copyId}
            className="no-print absolute -top-0.5 -right-3 grid size-11 place-items-center rounded-control text-primary hover:bg-primary-soft"
            onClick={() => void copyTransactionId(receipt.id)}
          >
            <Copy aria-hidden className="size-5" />
          </button>
        </dd>
      </div>
    </dl>
  );
}
