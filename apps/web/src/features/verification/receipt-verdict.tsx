import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import type { VerifiedReceipt } from '@vuka/contracts/http/verification';
import { BadgeCheck, CircleX, Clock, ShieldX } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatTime } from '#shared/format/date.ts';
import { formatAmount } from '#shared/format/money.ts';
import { useAbout } from '#shared/house.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { hasFailed } from '#shared/status-view.ts';
import { Card } from '#shared/ui/card.tsx';
import { Moment } from '#shared/ui/moment.tsx';
import { StatusBadge } from '#shared/ui/status-badge.tsx';
import type { Verdict } from './verification.api.ts';

const MESSAGES = i18n('receipt-verdict', {
  genuine: 'Genuine receipt',
  notGenuine: 'Not genuine',
  settled: 'The money has been delivered.',
  openTitle: 'Not delivered yet',
  open: 'This page updates when the money has been delivered.',
  failedTitle: 'Not delivered',
  failed: 'The transfer failed, and the money went back to the sender.',
  notOurs: params('{system} did not issue this receipt, or its code was changed. Do not rely on it.'),
  sent: 'Amount Sent',
  received: 'Amount Received',
  recipient: 'Recipient',
  deposit: 'Deposit by an administrator',
  bank: 'The sender’s bank account',
  date: 'Date',
  id: 'Transaction ID',
  checked: params('Checked at {time}'),
  compare: 'Compare the amount, the date and the transaction ID with the receipt you were shown.',
});

/** What matters first is that no money has arrived: then it is the title. */
const LOOKS = {
  settled: { box: 'bg-ok-soft text-ok-ink', Icon: BadgeCheck, title: 'genuine' },
  open: { box: 'bg-warn-soft text-warn-ink', Icon: Clock, title: 'openTitle' },
  failed: { box: 'bg-bad-soft text-bad-ink', Icon: CircleX, title: 'failedTitle' },
  notOurs: { box: 'bg-bad-soft text-bad-ink', Icon: ShieldX, title: 'notGenuine' },
} as const;

function kindOf(verdict: Verdict): keyof typeof LOOKS {
  if (!verdict.genuine) return 'notOurs';
  const { status } = verdict.receipt;
  if (status === 'SETTLED') return 'settled';
  return hasFailed(status) ? 'failed' : 'open';
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 py-3">
      <dt className="text-small text-ink2">{label}</dt>
      <dd className="nums min-w-0 text-right font-medium break-all">{children}</dd>
    </div>
  );
}

function Facts({ receipt }: { receipt: VerifiedReceipt }) {
  const t = useStore(MESSAGES);
  const unpaid = hasFailed(receipt.status) ? 'text-ink3 line-through' : '';
  return (
    <dl className="divide-y divide-line px-4 sm:px-5">
      <Fact label={t.sent}>
        <span className={unpaid}>{formatAmount(receipt.sourceAmount, receipt.sourceCurrency)}</span>
      </Fact>
      <Fact label={t.received}>
        <span className={unpaid}>{formatAmount(receipt.targetAmount, receipt.targetCurrency)}</span>
      </Fact>
      <Fact label={t.recipient}>{receipt.recipientPhone ?? (receipt.type === 'withdrawal' ? t.bank : t.deposit)}</Fact>
      <Fact label={t.date}>
        <Moment at={receipt.createdAt} />
      </Fact>
      <Fact label={t.id}>
        <span className="text-caption">{receipt.id}</span>
      </Fact>
    </dl>
  );
}

/** The verdict at a glance: a colour, an icon and a few words; then the facts to compare. */
export function ReceiptVerdict({ verdict }: { verdict: Verdict }) {
  const t = useStore(MESSAGES);
  const { systemName: system } = useAbout();
  const kind = kindOf(verdict);
  const { box, Icon, title } = LOOKS[kind];
  return (
    <Card className="overflow-hidden">
      <div role="status" className={`flex flex-col items-center px-5 py-8 text-center ${box}`}>
        <Icon aria-hidden className="size-16" strokeWidth={1.75} />
        <h1 className="mt-3 text-h1 font-bold tracking-tight">{t[title]}</h1>
        {verdict.genuine && title !== 'genuine' ? (
          <p className="mt-1 flex items-center gap-1.5 text-small font-semibold">
            <BadgeCheck aria-hidden className="size-4" />
            {t.genuine}
          </p>
        ) : null}
        <p className="mt-1 max-w-[40ch] font-medium">{kind === 'notOurs' ? t.notOurs({ system }) : t[kind]}</p>
        {verdict.genuine ? (
          <span className="mt-4 flex *:bg-surface">
            <StatusBadge status={verdict.receipt.status} place="receipt" />
          </span>
        ) : null}
      </div>
      {verdict.genuine ? <Facts receipt={verdict.receipt} /> : null}
      <div className="grid gap-1 border-t border-line px-4 py-4 text-small text-ink2 sm:px-5">
        {verdict.genuine ? <p>{t.compare}</p> : null}
        <p className="nums text-ink3">{t.checked({ time: formatTime(verdict.checkedAt) })}</p>
      </div>
    </Card>
  );
}
