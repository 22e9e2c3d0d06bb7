import { useStore } from '@nanostores/react';
import type { MerchantDetail } from '@vuka/contracts/http/admin';
import { formatWhole } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';

const MESSAGES = i18n('admin/merchant-balances', {
  wallet: 'Wallet',
  available: 'Available',
  held: 'Held',
  total: 'Total',
});

/** What a merchant can spend, what transfers under way hold, and both together. */
export function MerchantBalances({ balances }: { balances: NonNullable<MerchantDetail['balances']> }) {
  const t = useStore(MESSAGES);
  const head = 'py-2 text-caption font-semibold text-ink2';
  return (
    <div className="px-4 pb-4 sm:px-5">
      <table className="w-full text-right text-small">
        <thead>
          <tr>
            <th scope="col" className={`text-left ${head}`}>
              {t.wallet}
            </th>
            {[t.available, t.held, t.total].map((title) => (
              <th key={title} scope="col" className={`pl-3 ${head}`}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="nums">
          {(['KES', 'TZS'] as const).map((currency) => {
            const { available, held, posted } = balances[currency];
            return (
              <tr key={currency} className="border-t border-line">
                <th scope="row" className="py-2.5 text-left font-medium">
                  {currency}
                </th>
                <td className="pl-3 font-semibold whitespace-nowrap">{formatWhole(available)}</td>
                <td className="pl-3 whitespace-nowrap text-ink2">{formatWhole(held)}</td>
                <td className="pl-3 whitespace-nowrap text-ink2">{formatWhole(posted)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
