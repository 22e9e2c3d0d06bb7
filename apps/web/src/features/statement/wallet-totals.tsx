import { useStore } from '@nanostores/react';
import type { StatementWallet } from '@vuka/contracts/http/statements';
import { formatExact } from '#shared/format/exact-amount.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { NAMES } from '#shared/i18n/names.ts';
import { Card } from '#shared/ui/card.tsx';
import { CurrencyTag } from '#shared/ui/currency-tag.tsx';
import { isWallet } from '#shared/ui/wallet-colour.ts';

const MESSAGES = i18n('wallet-totals', {
  opening: 'Opening balance',
  in: 'Money in',
  out: 'Money out',
  fees: 'Fees',
  closing: 'Closing balance',
  reserved: 'On hold for transfers in progress',
});

function Line({ label, amount, isStrong = false }: { label: string; amount: string; isStrong?: boolean }) {
  return (
    <div className={`flex flex-wrap items-baseline justify-between gap-x-4 py-2 ${isStrong ? 'font-semibold' : ''}`}>
      <dt className={isStrong ? '' : 'text-ink2'}>{label}</dt>
      <dd className={`nums whitespace-nowrap ${isStrong ? 'text-card' : ''}`}>{amount}</dd>
    </div>
  );
}

/** A wallet's opening balance, movements and closing balance: the first four lines add up to the last. */
export function WalletTotals({ wallet }: { wallet: StatementWallet }) {
  const t = useStore(MESSAGES);
  const names = useStore(NAMES);
  const signed = (sign: string, amount: string): string =>
    /[1-9]/.test(amount) ? sign + formatExact(amount) : formatExact(amount);
  return (
    <Card
      title={names[wallet.currency]}
      // Paper has no coloured areas.
      aside={
        isWallet(wallet.currency) ? (
          <span className="no-print">
            <CurrencyTag currency={wallet.currency} />
          </span>
        ) : null
      }
      className="break-inside-avoid print:border print:border-line"
    >
      <dl className="divide-y divide-line px-4 pb-2 text-small sm:px-5">
        <Line label={t.opening} amount={formatExact(wallet.opening)} />
        <Line label={t.in} amount={signed('+', wallet.moneyIn)} />
        <Line label={t.out} amount={signed('-', wallet.moneyOut)} />
        <Line label={t.fees} amount={signed('-', wallet.fees)} />
        <Line label={t.closing} amount={formatExact(wallet.closing)} isStrong />
      </dl>
      {/[1-9]/.test(wallet.reserved) ? (
        <p className="flex items-end justify-between gap-4 px-4 pb-3 text-caption text-ink2 sm:px-5">
          <span className="min-w-0">{t.reserved}</span>
          <span className="nums whitespace-nowrap">{formatExact(wallet.reserved)}</span>
        </p>
      ) : null}
    </Card>
  );
}
