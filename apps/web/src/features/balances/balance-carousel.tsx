import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import type { WalletCurrency } from '@vuka/money/corridors';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import { Banknote, Eye, EyeOff, Send } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { Link, type LinkProps } from 'react-router-dom';
import { balancesQuery } from '#shared/api/balances.api.ts';
import { errorMessage } from '#shared/api-client.ts';
import { formatWhole } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { NAMES } from '#shared/i18n/names.ts';
import { lazyExtra } from '#shared/lazy-extra.tsx';
import { PATHS } from '#shared/paths.ts';
import { useSessionUser } from '#shared/session.ts';
import { Card } from '#shared/ui/card.tsx';
import { Figure } from '#shared/ui/figure.tsx';
import { LoadError } from '#shared/ui/load-error.tsx';
import { ofWallet, walletColour } from '#shared/ui/wallet-colour.ts';
import { useOnline } from '#shared/use-online.ts';

const MESSAGES = i18n('balance-carousel', {
  region: 'Balances',
  defaultMarker: 'Default Currency',
  send: 'Send Money',
  withdraw: 'Withdraw',
  hide: 'Hide balances',
  show: 'Show balances',
  failed: 'Balances could not be loaded',
  loading: 'Loading balance',
});

/** In place of a figure that is loading. */
const BAR = <span aria-hidden className="mt-1 block h-4 w-16 animate-appear rounded-chip bg-white/15" />;

/** Where the title and the figures of the month will be. */
const MONTH_BARS = (
  <div className="gap-x-6 border-t border-white/15 pt-1 sm:flex">
    {BAR}
    <div className="flex flex-1 flex-wrap gap-x-6">
      {[1, 2, 3].map((figure) => (
        <span key={figure} className="min-w-fit flex-1">
          {BAR}
          {BAR}
        </span>
      ))}
    </div>
  </div>
);

const MonthFigures = lazyExtra(() => import('./month-figures.tsx').then((file) => file.MonthFigures), MONTH_BARS);

/** The wallets' colours as text on white. */
const INKS = ['text-wallet-1', 'text-wallet-2'];

const HIDDEN_AMOUNT = '•••••';
const HIDDEN_KEY = 'vuka.balances-hidden';

function useHiddenBalances() {
  const [isHidden, setIsHidden] = useState(() => localStorage.getItem(HIDDEN_KEY) === '1');
  const toggle = (): void => {
    localStorage.setItem(HIDDEN_KEY, isHidden ? '0' : '1');
    setIsHidden(!isHidden);
  };
  return { isHidden, toggle };
}

interface WalletCardProps {
  currency: WalletCurrency;
  balance: string | undefined;
  isDefault: boolean;
  isHidden: boolean;
  onToggleHidden: () => void;
}

/** A link to a page that sends money. Offline it is disabled, and the bar at the top says why. */
function WalletLink({ to, state, className, children }: Pick<LinkProps, 'to' | 'state' | 'className' | 'children'>) {
  const look = `inline-flex min-h-12 max-w-full items-center gap-2 rounded-control font-semibold ${className}`;
  return useOnline() ? (
    <Link to={to} state={state} className={`${look} outline-white`}>
      {children}
    </Link>
  ) : (
    // biome-ignore lint/a11y/useFocusableInteractive: it does nothing.
    // biome-ignore lint/a11y/useSemanticElements: an anchor without an address has no role.
    <span role="link" aria-disabled className={`${look} cursor-not-allowed opacity-50`}>
      {children}
    </span>
  );
}

function WalletCard({ currency, balance, isDefault, isHidden, onToggleHidden }: WalletCardProps) {
  const t = useStore(MESSAGES);
  const names = useStore(NAMES);
  const Icon = isHidden ? EyeOff : Eye;
  return (
    <li
      className={`flex w-[calc(100%-32px)] shrink-0 snap-center flex-col rounded-wallet p-[20px] text-white md:w-auto ${walletColour(currency)}`}
    >
      <div className="-mt-[10px] mb-2 flex items-center gap-2">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-0.5">
          <h2 className="font-medium text-on-wallet">{names[currency]}</h2>
          {isDefault ? (
            <span className="rounded-wallet bg-white/15 px-2.5 py-0.5 text-caption font-semibold">
              {t.defaultMarker}
            </span>
          ) : null}
        </div>
        <button
          type="button"
          aria-label={isHidden ? t.show : t.hide}
          className="-mr-3 grid size-12 shrink-0 place-items-center rounded-control text-on-wallet outline-white hover:bg-white/10"
          onClick={onToggleHidden}
        >
          <Icon aria-hidden className="size-5" />
        </button>
      </div>
      {/* The font shrinks on narrow windows, however large the user's text size is. */}
      <p className="nums flex min-h-10.5 flex-wrap items-baseline gap-x-2 text-[length:clamp(1.25rem,10vw,2.25rem)] leading-[1.17] font-bold tracking-amount">
        {balance === undefined ? (
          <span role="status" className="h-9 w-40 max-w-full animate-appear self-center rounded-chip bg-white/15">
            <span className="sr-only">{t.loading}</span>
          </span>
        ) : (
          <span className="min-w-0">{isHidden ? HIDDEN_AMOUNT : <Figure text={formatWhole(balance)} />}</span>
        )}
        <span
          className={`text-card font-semibold tracking-normal text-on-wallet ${balance === undefined ? 'self-center' : ''}`}
        >
          {currency}
        </span>
      </p>
      {/* The height is the same with and without figures, so that nothing moves when they arrive. */}
      <div className="mt-auto mb-4 grid min-h-20.25 items-end sm:min-h-15 pt-3">
        {balance === undefined ? (
          MONTH_BARS
        ) : (
          <MonthFigures currency={currency} hidden={isHidden ? HIDDEN_AMOUNT : undefined} meanwhile={BAR} />
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <WalletLink
          to={PATHS.send}
          state={{ sourceCurrency: currency }}
          className={`bg-white px-4 ${ofWallet(INKS, currency)}`}
        >
          <Send aria-hidden className="size-4.5" />
          {t.send}
        </WalletLink>
        <WalletLink
          to={PATHS.withdraw}
          state={{ currency }}
          className="grow justify-center bg-white/15 px-3 hover:bg-white/20 sm:grow-0"
        >
          {/* Hidden on phones, so that both links fit in one row. */}
          <Banknote aria-hidden className="hidden size-4.5 sm:block" />
          {t.withdraw}
        </WalletLink>
      </div>
    </li>
  );
}

function Dots({ active, onSelect }: { active: number; onSelect: (index: number) => void }) {
  const names = useStore(NAMES);
  return (
    <div className="mt-1 flex justify-center md:hidden">
      {WALLET_CURRENCIES.map((currency, index) => (
        <button
          key={currency}
          type="button"
          aria-label={names[currency]}
          aria-current={index === active}
          className="grid size-8 place-items-center rounded-full"
          onClick={() => onSelect(index)}
        >
          <span
            className={`h-2 rounded-full transition-[width] ${index === active ? 'w-5 bg-primary' : 'w-2 bg-field'}`}
          />
        </button>
      ))}
    </div>
  );
}

const LAST = WALLET_CURRENCIES.length - 1;

/** Opens at the wallet with this index. */
function useCarousel(first: number) {
  const listRef = useRef<HTMLUListElement>(null);
  const [active, setActive] = useState(first);
  useLayoutEffect(() => {
    const list = listRef.current;
    if (list) list.scrollLeft = (first / LAST) * (list.scrollWidth - list.clientWidth);
  }, [first]);
  const onScroll = (): void => {
    const list = listRef.current;
    if (list) setActive(Math.round((LAST * list.scrollLeft) / Math.max(1, list.scrollWidth - list.clientWidth)));
  };
  const select = (index: number): void => {
    const list = listRef.current;
    list?.scrollTo({ left: (index / LAST) * (list.scrollWidth - list.clientWidth), behavior: 'smooth' });
  };
  return { listRef, active, onScroll, select };
}

/** The wallets: swipeable on a phone, side by side where there is room. */
export function BalanceCarousel() {
  const t = useStore(MESSAGES);
  const user = useSessionUser();
  const { data, error, refetch } = useQuery(balancesQuery());
  const { isHidden, toggle } = useHiddenBalances();
  const own = WALLET_CURRENCIES.indexOf(user?.defaultCurrency as WalletCurrency);
  const carousel = useCarousel(Math.max(0, own));
  if (!data && error) {
    return (
      <Card>
        <LoadError title={t.failed} detail={errorMessage(error)} onRetry={() => void refetch()} />
      </Card>
    );
  }
  const defaultCurrency = data?.defaultCurrency ?? user?.defaultCurrency;
  return (
    <section aria-label={t.region}>
      <ul
        ref={carousel.listRef}
        className="no-scrollbar -mx-4 flex snap-x snap-mandatory gap-3 overflow-x-auto px-4 py-1 sm:-mx-6 sm:px-6 md:mx-0 md:grid md:grid-cols-2 md:gap-4 md:overflow-visible md:px-0"
        onScroll={carousel.onScroll}
      >
        {WALLET_CURRENCIES.map((currency) => (
          <WalletCard
            key={currency}
            currency={currency}
            balance={data?.balances[currency]}
            isDefault={currency === defaultCurrency}
            isHidden={isHidden}
            onToggleHidden={toggle}
          />
        ))}
      </ul>
      <Dots active={carousel.active} onSelect={carousel.select} />
    </section>
  );
}
