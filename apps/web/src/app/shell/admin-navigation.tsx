import { useStore } from '@nanostores/react';
import {
  ArrowLeftRight,
  Banknote,
  Bell,
  CreditCard,
  FlaskConical,
  Gauge,
  History,
  KeyRound,
  Layers,
  LayoutDashboard,
  type LucideIcon,
  Percent,
  PiggyBank,
  RotateCw,
  Scale,
  ScrollText,
  Settings,
  Users,
} from 'lucide-react';
import { useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router-dom';
import { useAbout } from '#shared/house.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';

export const ADMIN_NAVIGATION = i18n('admin/navigation', {
  label: 'Administration',
  menu: 'Menu',
  dashboard: 'Dashboard',
  deposits: 'Admin Deposits',
  rates: 'Exchange Rates',
  credit: 'Credit Merchant',
  merchants: 'Merchant Management',
  withdrawals: 'Withdrawals',
  fees: 'Fees',
  limits: 'Limits',
  settings: 'Admin Settings',
  logs: 'Integration Logs',
  notifications: 'Notifications',
  recovery: 'Transaction Recovery',
  reconciliation: 'Reconciliation',
  queues: 'Message Queues',
  audit: 'Audit Trail',
  apiKeys: 'API Keys',
  lab: 'Failure Lab',
  loggedIn: 'Logged in as Admin',
});

interface Entry {
  to: string;
  text:
    | 'dashboard'
    | 'deposits'
    | 'rates'
    | 'credit'
    | 'merchants'
    | 'settings'
    | 'notifications'
    | 'withdrawals'
    | 'fees'
    | 'limits'
    | 'logs'
    | 'recovery'
    | 'reconciliation'
    | 'queues'
    | 'audit'
    | 'apiKeys'
    | 'lab';
  Icon: LucideIcon;
  /** Shown only in demonstrations: with a real provider the page does not exist. */
  isOfDemo?: true;
}

export const ADMIN_ENTRIES: readonly Entry[] = [
  { to: PATHS.admin, text: 'dashboard', Icon: LayoutDashboard },
  { to: PATHS.adminDeposits, text: 'deposits', Icon: PiggyBank },
  { to: PATHS.exchangeRates, text: 'rates', Icon: ArrowLeftRight },
  { to: PATHS.creditMerchant, text: 'credit', Icon: CreditCard },
  { to: PATHS.merchants, text: 'merchants', Icon: Users },
  { to: PATHS.adminWithdrawals, text: 'withdrawals', Icon: Banknote },
  { to: PATHS.adminFees, text: 'fees', Icon: Percent },
  { to: PATHS.adminLimits, text: 'limits', Icon: Gauge },
  { to: PATHS.integrationLogs, text: 'logs', Icon: ScrollText },
  { to: PATHS.transactionRecovery, text: 'recovery', Icon: RotateCw },
  { to: PATHS.reconciliation, text: 'reconciliation', Icon: Scale },
  { to: PATHS.notifications, text: 'notifications', Icon: Bell },
  { to: PATHS.queues, text: 'queues', Icon: Layers },
  { to: PATHS.auditTrail, text: 'audit', Icon: History },
  { to: PATHS.apiKeys, text: 'apiKeys', Icon: KeyRound },
  { to: PATHS.failureLab, text: 'lab', Icon: FlaskConical, isOfDemo: true },
  { to: PATHS.adminSettings, text: 'settings', Icon: Settings },
];

interface AdminNavigationProps {
  /** The name of the signed-in administrator. */
  name: string;
  onNavigate?: () => void;
}

/** The links of the admin area, with the administrator's name at the foot. Fills the height that it is given. */
export function AdminNavigation({ name, onNavigate }: AdminNavigationProps) {
  const t = useStore(ADMIN_NAVIGATION);
  const { pathname } = useLocation();
  const { isDemo = false } = useAbout();
  const list = useRef<HTMLUListElement>(null);
  // On a low screen the current page's link may be out of view, or be pushed out of it by one that appears later.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current link depends on both.
  useEffect(() => {
    // Newer browsers return a promise, which is not a clean-up function.
    void list.current?.querySelector('[aria-current]')?.scrollIntoView?.({ block: 'nearest' });
  }, [pathname, isDemo]);
  return (
    <nav aria-label={t.label} className="flex min-h-0 flex-1 flex-col">
      <ul ref={list} className="grid content-start overflow-y-auto p-3">
        {ADMIN_ENTRIES.filter(({ isOfDemo }) => isDemo || !isOfDemo).map(({ to, text, Icon }) => (
          <li key={to}>
            <NavLink
              to={to}
              end={to === PATHS.admin}
              className="flex min-h-11 items-center gap-3 rounded-control px-3 py-1 lg:min-h-9 text-small font-medium text-ink2 hover:bg-sunken hover:text-ink aria-[current=page]:bg-primary-soft aria-[current=page]:font-semibold aria-[current=page]:text-primary-ink"
              onClick={onNavigate}
            >
              <Icon aria-hidden className="size-5 shrink-0" />
              {t[text]}
            </NavLink>
          </li>
        ))}
      </ul>
      <div className="mt-auto border-t border-line px-6 py-4 lg:py-3 text-caption text-ink3">
        <p className="font-medium text-ink2">{t.loggedIn}</p>
        <p className="truncate">{name}</p>
      </div>
    </nav>
  );
}
