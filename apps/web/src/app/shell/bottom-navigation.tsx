import { useStore } from '@nanostores/react';
import { House, type LucideIcon, Send, ShieldCheck, UserRound } from 'lucide-react';
import { Link, useLocation } from 'react-router-dom';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';

const MESSAGES = i18n('bottom-navigation', {
  label: 'Main',
  dashboard: 'Dashboard',
  send: 'Send',
  profile: 'Profile',
  admin: 'Admin',
});

interface Entry {
  label: 'dashboard' | 'send' | 'profile' | 'admin';
  Icon: LucideIcon;
  /** The first path segments of the pages that belong to this entry. The entry links to the first one. */
  places: readonly [string, ...string[]];
}

const ENTRIES: Entry[] = [
  {
    label: 'dashboard',
    Icon: House,
    places: [PATHS.dashboard, PATHS.transactions, '/transaction', PATHS.statement, PATHS.withdraw],
  },
  { label: 'send', Icon: Send, places: [PATHS.send, PATHS.sendAlias] },
  { label: 'profile', Icon: UserRound, places: [PATHS.profile, PATHS.security, PATHS.accounts] },
];

const ADMIN_ENTRY: Entry = { label: 'admin', Icon: ShieldCheck, places: [PATHS.admin] };

export function BottomNavigation({ isAdmin }: { isAdmin: boolean }) {
  const t = useStore(MESSAGES);
  const place = `/${useLocation().pathname.split('/')[1]}`;
  const entries = isAdmin ? [...ENTRIES, ADMIN_ENTRY] : ENTRIES;
  return (
    <nav
      aria-label={t.label}
      className="bottom-navigation no-print fixed inset-x-0 bottom-0 z-40 mx-auto border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:bottom-4 md:w-fit md:rounded-wallet md:border-0 md:pb-0 md:shadow-2"
    >
      <ul className="mx-auto flex h-16 max-w-merchant md:h-12 md:p-1">
        {entries.map(({ label, Icon, places }) => {
          const active = places.includes(place);
          return (
            <li key={label} className="min-w-0 flex-1 md:flex-none">
              <Link
                to={places[0]}
                aria-current={active ? 'page' : undefined}
                className={`relative flex h-full flex-col items-center justify-center gap-0.5 text-caption font-medium -outline-offset-3 md:flex-row md:gap-2 md:px-5 md:text-small ${active ? 'text-primary md:rounded-card md:bg-primary-soft' : 'text-ink3 hover:text-ink'}`}
              >
                {active ? (
                  <span aria-hidden className="absolute top-0 h-0.5 w-10 rounded-full bg-primary md:hidden" />
                ) : null}
                <Icon aria-hidden className={`size-6 shrink-0 md:size-5 ${active ? 'fill-primary-soft' : ''}`} />
                <span className="max-w-full text-center max-md:[overflow-wrap:anywhere] md:whitespace-nowrap">
                  {t[label]}
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
