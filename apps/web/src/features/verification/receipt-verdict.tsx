import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import type { VerifiedReceipt } from '@vuka/contracts/http/verification';
import { BadgeCheck, CircleX, Clock, type LucideIcon, ShieldX } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatTime } from '#shared/format/date.ts';
import { formatAmount } from '#shared/format/money.ts';
import { useAbout } from '#shared/house.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import { Moment } from '#shared/ui/moment.tsx';
import { StatusBadge } from '#shared/ui/status-badge.tsx';
import type { Verdict } from './verification.api.ts';

const MESSAGES = i18n('receipt-verdict', {
  genuine: 'Genuine receipt',
  notGenuine: 'Not genuine',
  settled: 'The money has been delivered.',
  open: 'The money has not been delivered yet. This page updates when it has.',
  failed: 'But nothing was delivered: the transfer failed and the money went back to the sender.',
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

type Kind = 'settled' | 'open' | 'failed' | 'notOurs';

const LOOKS: Record<Kind, { box: string; Icon: LucideIcon }> = {
  settled: { box: 'bg-ok-soft text-ok-ink', Icon: BadgeCheck },
  open: { box: 'bg-warn-soft text-warn-ink', Icon: Clock },
  failed: { box: 'bg-bad-soft text-bad-ink', Icon: CircleX },
  notOurs: { box: 'bg-bad-soft text-bad-ink', Icon: ShieldX },
};

function kindOf(verdict: Verdict): Kind {
  if (!verdict.genuine) return 'notOurs';
  const { status } = verdict.receipt;
  if (status === 'SETTLED') return 'settled';
  return status === 'FAILED' || status === 'CANCELLED' ? 'failed' : 'open';
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
  return (
    <dl className="divide-y divide-line px-4 sm:px-5">
      <Fact label={t.sent}>{formatAmount(receipt.sourceAmount, receipt.sourceCurrency)}</Fact>
      <Fact label={t.received}>{formatAmount(receipt.targetAmount, receipt.targetCurrency)}</Fact>
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

/** The verdict at a glance: a colour, an icon and two words; then the facts to compare. */
export function ReceiptVerdict({ verdict }: { verdict: Verdict }) {
  const t = useStore(MESSAGES);
  const { systemName: system } = useAbout();
  const kind = kindOf(verdict);
  const { box, Icon } = LOOKS[kind];
  return (
    <Card className="overflow-hidden">
      <div role="status" className={`flex flex-col items-center px-5 py-7 text-center ${box}`}>
        <Icon aria-hidden className="size-16" strokeWidth={1.75} />
        <h1 className="mt-3 text-h1 font-bold tracking-tight">{verdict.genuine ? t.genuine : t.notGenuine}</h1>
        <p className="mt-1 max-w-[40ch] font-medium">{kind === 'notOurs' ? t.notOurs({ system }) : t[kind]}</p>
        {verdict.genuine ? (
          <span className="mt-4 rounded-full bg-surface p-1">
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
