import { useStore } from '@nanostores/react';
import type { MerchantDetail } from '@vuka/contracts/http/merchants';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import { formatWhole } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { CurrencyTag } from '#shared/ui/currency-tag.tsx';

const MESSAGES = i18n('admin/merchant-balances', {
  available: 'Available',
  held: 'Held',
  total: 'Total',
});

/** What a merchant can spend, what transfers in progress hold, and the total. */
export function MerchantBalances({ balances }: { balances: NonNullable<MerchantDetail['balances']> }) {
  const t = useStore(MESSAGES);
  return (
    <div className="divide-y divide-line px-4 pb-3 text-small sm:px-5">
      {WALLET_CURRENCIES.map((currency) => {
        const { available, held, posted } = balances[currency];
        const figures = [
          { name: t.available, amount: available, look: 'text-card font-bold' },
          { name: t.held, amount: held, look: 'text-ink2' },
          { name: t.total, amount: posted, look: 'text-ink2' },
        ];
        return (
          <section key={currency} aria-label={currency} className="py-2.5">
            <h3>
              <CurrencyTag currency={currency} />
            </h3>
            {/* As many columns as fit: a single one on a phone with large text. */}
            <dl className="mt-2 grid grid-cols-[repeat(auto-fit,minmax(5rem,1fr))] items-start gap-x-3 gap-y-1">
              {figures.map(({ name, amount, look }) => (
                <div key={name}>
                  <dt className="text-caption text-ink2">{name}</dt>
                  <dd className={`nums whitespace-nowrap ${look}`}>{formatWhole(amount)}</dd>
                </div>
              ))}
            </dl>
          </section>
        );
      })}
    </div>
  );
}
