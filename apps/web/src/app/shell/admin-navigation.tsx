import { useStore } from '@nanostores/react';
import type { AdminRight } from '@vuka/contracts/http/admin-rights';
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
  NotebookPen,
  Percent,
  PiggyBank,
  RotateCw,
  Scale,
  ScrollText,
  Settings,
  Users,
} from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { type Attention, TONE_CLASSES, type Tone, waitingOn } from '#features/admin-overview/attention.ts';
import { useAttention } from '#pages/admin/use-attention.ts';
import { useMayDo } from '#shared/admin/use-may-do.ts';
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
  adjustments: 'Adjustments',
  queues: 'Message Queues',
  audit: 'Audit Trail',
  apiKeys: 'API Keys',
  lab: 'Failure Lab',
  loggedIn: 'Logged in as Admin',
  money: 'Money',
  pricing: 'Pricing',
  customers: 'Customers',
  operations: 'Operations',
  security: 'Security',
  demo: 'Demonstration',
});

interface Entry {
  to: string;
  /** The path of other pages that belong to it. */
  under?: string;
  /** The right that the page requires. */
  right: AdminRight;
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
    | 'adjustments'
    | 'queues'
    | 'audit'
    | 'apiKeys'
    | 'lab';
  Icon: LucideIcon;
  /** Shown only in demonstrations: with a real provider the page does not exist. */
  isOfDemo?: true;
}

interface Group {
  /** Undefined for the dashboard. */
  title?: 'money' | 'pricing' | 'customers' | 'operations' | 'security' | 'demo';
  entries: readonly Entry[];
}

const GROUPS: readonly Group[] = [
  { entries: [{ to: PATHS.admin, right: 'overview.read', text: 'dashboard', Icon: LayoutDashboard }] },
  {
    title: 'money',
    entries: [
      { to: PATHS.adminDeposits, right: 'deposits.read', text: 'deposits', Icon: PiggyBank },
      { to: PATHS.creditMerchant, right: 'credits.read', text: 'credit', Icon: CreditCard },
      { to: PATHS.adminWithdrawals, right: 'withdrawals.read', text: 'withdrawals', Icon: Banknote },
      { to: PATHS.reconciliation, right: 'reconciliation.read', text: 'reconciliation', Icon: Scale },
      { to: PATHS.adjustments, right: 'adjustments.read', text: 'adjustments', Icon: NotebookPen },
    ],
  },
  {
    title: 'pricing',
    entries: [
      { to: PATHS.exchangeRates, right: 'rates.read', text: 'rates', Icon: ArrowLeftRight },
      { to: PATHS.adminFees, right: 'fees.read', text: 'fees', Icon: Percent },
      { to: PATHS.adminLimits, right: 'limits.read', text: 'limits', Icon: Gauge },
    ],
  },
  {
    title: 'customers',
    entries: [
      { to: PATHS.merchants, right: 'merchants.read', text: 'merchants', Icon: Users },
      { to: PATHS.notifications, right: 'notifications.read', text: 'notifications', Icon: Bell },
    ],
  },
  {
    title: 'operations',
    entries: [
      {
        to: PATHS.transactionRecovery,
        under: `${PATHS.admin}/transactions`,
        right: 'recovery.read',
        text: 'recovery',
        Icon: RotateCw,
      },
      { to: PATHS.integrationLogs, right: 'logs.read', text: 'logs', Icon: ScrollText },
      { to: PATHS.queues, right: 'queues.read', text: 'queues', Icon: Layers },
    ],
  },
  {
    title: 'security',
    entries: [
      { to: PATHS.auditTrail, right: 'audit-trail.read', text: 'audit', Icon: History },
      { to: PATHS.apiKeys, right: 'api-keys.read', text: 'apiKeys', Icon: KeyRound },
      { to: PATHS.adminSettings, right: 'own-credentials', text: 'settings', Icon: Settings },
    ],
  },
  {
    title: 'demo',
    entries: [{ to: PATHS.failureLab, right: 'failure-lab.read', text: 'lab', Icon: FlaskConical, isOfDemo: true }],
  },
];

const ADMIN_ENTRIES: readonly Entry[] = GROUPS.flatMap(({ entries }) => entries);

/**
 * The navigation entry of a page. A merchant's own page belongs to the list of merchants, and a transaction's to the
 * recovery of transactions. The path of the admin dashboard is a prefix of every page's, so that entry must match
 * exactly.
 */
export function entryOf(pathname: string): Entry | undefined {
  const holds = (path: string): boolean =>
    pathname === path || (path !== PATHS.admin && pathname.startsWith(`${path}/`));
  return ADMIN_ENTRIES.find(({ to, under = to }) => holds(to) || holds(under));
}

/** The pages that the administrator's role opens, by their names. */
export function useAdminPages(): { to: string; label: string }[] {
  const t = useStore(ADMIN_NAVIGATION);
  const { isDemo = false } = useAbout();
  const mayDo = useMayDo();
  return ADMIN_ENTRIES.filter(({ right, isOfDemo }) => mayDo(right) && (isDemo || !isOfDemo)).map(({ to, text }) => ({
    to,
    label: t[text],
  }));
}

/** Fades links at the lower edge, to show that the list continues. */
const FADE = '[mask-image:linear-gradient(#000_calc(100%-1.5rem),transparent)]';

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
  const mayDo = useMayDo();
  const attention = useAttention();
  const list = useRef<HTMLDivElement>(null);
  // On a low screen the current page's link may be out of view, also because a link above it appeared later.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current link depends on both.
  useEffect(() => {
    const box = list.current?.getBoundingClientRect();
    const link = list.current?.querySelector('[aria-current]')?.getBoundingClientRect();
    if (!list.current || !box || !link) return;
    // Scrolls one row more, because the last one fades. `scrollIntoView` would also scroll the page and hide its title.
    list.current.scrollTop += Math.max(0, link.bottom + link.height - box.bottom) + Math.min(0, link.top - box.top);
  }, [pathname, isDemo]);
  return (
    <nav aria-label={t.label} className="flex min-h-0 flex-1 flex-col">
      <div
        ref={list}
        className={`mt-2 grid flex-1 content-start gap-y-3 overflow-y-auto border-t border-line px-3 pt-2 pb-6 ${FADE}`}
      >
        {GROUPS.map(({ title, entries }) => (
          <NavigationGroup
            key={title ?? 'dashboard'}
            title={title && t[title]}
            entries={entries.filter(({ right, isOfDemo }) => mayDo(right) && (isDemo || !isOfDemo))}
            attention={attention}
            onNavigate={onNavigate}
          />
        ))}
      </div>
      <div className="border-t border-line gap-x-2 px-6 py-4 text-caption text-ink3 lg:mb-14 lg:flex lg:py-2">
        <p className="shrink-0 font-medium text-ink2">{t.loggedIn}</p>
        {/* One line on a laptop: a second would make the list above scroll. */}
        <p title={name} className="truncate">
          {name}
        </p>
      </div>
    </nav>
  );
}

interface NavigationGroupProps {
  title: string | undefined;
  entries: readonly Entry[];
  attention: readonly Attention[];
  onNavigate: (() => void) | undefined;
}

function NavigationGroup({ title, entries, attention, onNavigate }: NavigationGroupProps) {
  const t = useStore(ADMIN_NAVIGATION);
  const current = entryOf(useLocation().pathname)?.to;
  const id = useId();
  if (entries.length === 0) return null;
  return (
    <div className="min-w-0">
      {title ? (
        <p id={id} className="px-3 text-caption font-semibold text-ink3">
          {title}
        </p>
      ) : null}
      <ul aria-labelledby={title && id}>
        {entries.map(({ to, text, Icon }) => (
          <li key={to}>
            <Link
              to={to}
              aria-current={to === current ? 'page' : undefined}
              className="flex min-h-11 items-center gap-3 rounded-control px-3 py-1 lg:min-h-[min(3dvh,2rem)] lg:py-0.5 text-small font-medium text-ink2 hover:bg-sunken hover:text-ink aria-[current=page]:bg-primary-soft aria-[current=page]:text-primary-ink"
              onClick={onNavigate}
            >
              <Icon aria-hidden className="size-4.5 shrink-0" />
              <span className="min-w-0 flex-1 lg:truncate">{t[text]}</span>
              <Waiting {...waitingOn(to, attention)} isOnCurrent={to === current} />
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** How much waits on a page for a person, in the colour that the dashboard has for it. */
function Waiting({ text, tone, isOnCurrent }: { text?: string; tone?: Tone; isOnCurrent: boolean }) {
  if (!text || !tone) return null;
  // The current link has the colour of what is merely due.
  const colour = isOnCurrent && tone === 'due' ? 'bg-surface text-primary-ink' : TONE_CLASSES[tone];
  return (
    // Hidden from screen readers: the dashboard names the same figures.
    <span aria-hidden className={`nums rounded-chip px-1.5 text-caption ${colour}`}>
      {text}
    </span>
  );
}
