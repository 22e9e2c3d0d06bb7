import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import type { AdminOverview } from '@vuka/contracts/http/overview';
import type { WalletCurrency } from '@vuka/money/corridors';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import { RATED } from '@vuka/money/directions';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { balancesQuery } from '#shared/api/balances.api.ts';
import { formatAmount } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Figure } from './figure.tsx';
import { overviewQuery } from './overview.api.ts';

const MESSAGES = i18n('admin/overview-cards', {
  balance: params('{currency} balance'),
  balanceDetail: 'your own wallet',
  currency: 'Default currency',
  currencyDetail: 'from your profile',
  deposits: 'Recent deposits',
  depositsDetail: params('in the last {days} days'),
  rate: 'Current rate',
  rateValue: params('{rate} {target}/{source}'),
  rateDetail: params('{rate} with {markup}% markup'),
  noRate: 'Not set',
  status: 'System status',
  active: 'Active',
  statusDetail: params('All {count} services are up'),
  notActive: 'Not fully active',
  notReady: params('Down: {parts}'),
  unavailable: 'Unavailable',
});

const BALANCES_FRESH_MS = 30_000;

/** The current figures. A figure that a service did not return is shown as unavailable; the others remain. */
export function OverviewCards() {
  const t = useStore(MESSAGES);
  const balances = useQuery({ ...balancesQuery(), staleTime: BALANCES_FRESH_MS });
  const overview = useQuery(overviewQuery());
  const own = balances.data;
  const live = overview.data;
  const balance = (currency: WalletCurrency) => own && formatAmount(own.balances[currency], currency);
  const money = { isPending: balances.isPending, unavailable: t.unavailable };
  const rest = { isPending: overview.isPending, unavailable: t.unavailable };
  const rate = rateTexts(live, t);
  return (
    <div className="grid gap-3 xs:grid-cols-2 sm:grid-cols-3 xl:grid-cols-6">
      {WALLET_CURRENCIES.map((currency) => (
        <Figure
          key={currency}
          {...money}
          label={t.balance({ currency })}
          value={balance(currency)}
          detail={own && t.balanceDetail}
        />
      ))}
      <Figure {...money} label={t.currency} value={own?.defaultCurrency} detail={own && t.currencyDetail} />
      <Figure
        {...rest}
        label={t.deposits}
        value={live?.recentDeposits?.count.toString()}
        detail={live?.recentDeposits && t.depositsDetail({ days: live.recentDeposits.days })}
      />
      <Figure {...rest} label={t.rate} value={rate?.value} detail={rate?.detail} />
      <StatusFigure {...rest} parts={live?.parts} />
    </div>
  );
}

type Texts = ReturnType<typeof MESSAGES.get>;

function rateTexts(live: AdminOverview | undefined, t: Texts) {
  const rate = live?.currentRate;
  if (rate) {
    const detail = t.rateDetail({ rate: rate.sellRate.toFixed(3), markup: rate.markup });
    return { value: t.rateValue({ rate: rate.buyRate, source: RATED.source, target: RATED.target }), detail };
  }
  // The rates service is up but returned no rate: none was ever set.
  const isAsked = live?.parts.some(({ name, ready }) => name === 'rates' && ready);
  return isAsked ? { value: t.noRate, detail: undefined } : undefined;
}

interface StateProps {
  isPending: boolean;
  unavailable: string;
}

function StatusFigure({ parts, ...state }: StateProps & { parts: AdminOverview['parts'] | undefined }) {
  const t = useStore(MESSAGES);
  const missing = parts?.filter(({ ready }) => !ready).map(({ name }) => name) ?? [];
  const isActive = missing.length === 0;
  return (
    <Figure
      {...state}
      label={t.status}
      Icon={isActive ? CircleCheck : TriangleAlert}
      tone={parts && (isActive ? 'ok' : 'bad')}
      value={parts && (isActive ? t.active : t.notActive)}
      detail={parts && (isActive ? t.statusDetail({ count: parts.length }) : t.notReady({ parts: missing.join(', ') }))}
    />
  );
}
