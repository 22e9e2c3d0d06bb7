import '#shared/admin/admin-refusals.ts';
import { useStore } from '@nanostores/react';
import { Menu, ShieldX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { Dialog } from '#shared/admin/dialog.tsx';
import { PinAsker } from '#shared/admin/pin-dialog.tsx';
import { loadAbout } from '#shared/house.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { type SessionUser, useSessionUser } from '#shared/session.ts';
import { buttonClass } from '#shared/ui/button.tsx';
import { PageTitle } from '#shared/ui/page-title.tsx';
import { useMediaQuery } from '#shared/use-media-query.ts';
import { ADMIN_ENTRIES, ADMIN_NAVIGATION, AdminNavigation } from './admin-navigation.tsx';
import { Main } from './main.tsx';

const LAPTOP = '(min-width: 64rem)';

const MESSAGES = i18n('admin/shell', {
  notAllowed: 'You do not have access to this page',
  notAllowedDetail: 'It is for administrators. If you should have access, ask one of them.',
  home: 'Go to the dashboard',
});

/**
 * The frame of every admin page. It tells other users that they have no access; the server refuses their calls anyway.
 */
export function AdminShell() {
  const user = useSessionUser();
  const isLaptop = useMediaQuery(LAPTOP);
  const { pathname } = useLocation();
  const isAdmin = user?.isAdmin ?? false;
  // The navigation depends on whether this is a demonstration.
  useEffect(() => {
    if (isAdmin) void loadAbout();
  }, [isAdmin]);
  if (!user?.isAdmin) return <NotAllowed />;
  const name = user.fullName || user.username;
  return (
    <div className="lg:grid lg:grid-cols-[248px_minmax(0,1fr)]">
      {isLaptop ? (
        // Fills the space between the header and the bottom navigation.
        <div className="sticky top-14 flex h-[calc(100dvh-7.5rem)] flex-col border-r border-line">
          <AdminNavigation name={name} />
        </div>
      ) : (
        <TopBar user={user} pathname={pathname} />
      )}
      <Main className="min-w-0 lg:pt-2" />
      <PinAsker />
    </div>
  );
}

function TopBar({ user, pathname }: { user: SessionUser; pathname: string }) {
  const t = useStore(ADMIN_NAVIGATION);
  const [isOpen, setIsOpen] = useState(false);
  // A merchant's own page belongs to the list of merchants; the admin dashboard's path is a prefix of every page.
  const current =
    ADMIN_ENTRIES.find(({ to }) => to === pathname) ??
    ADMIN_ENTRIES.find(({ to }) => to !== PATHS.admin && pathname.startsWith(`${to}/`));
  return (
    <nav
      aria-label={t.menu}
      className="sticky top-14 z-30 flex h-14 items-center gap-1 border-b border-line bg-canvas px-2"
    >
      <button
        type="button"
        aria-label={t.menu}
        aria-haspopup="dialog"
        className="grid size-12 place-items-center rounded-control text-ink2 hover:bg-sunken hover:text-ink"
        onClick={() => setIsOpen(true)}
      >
        <Menu aria-hidden className="size-6" />
      </button>
      <p className="text-small font-medium text-ink2">{current ? t[current.text] : t.label}</p>
      {isOpen ? (
        <Dialog title={t.label} shape="drawer" onClose={() => setIsOpen(false)}>
          <AdminNavigation name={user.fullName || user.username} onNavigate={() => setIsOpen(false)} />
        </Dialog>
      ) : null}
    </nav>
  );
}

function NotAllowed() {
  const t = useStore(MESSAGES);
  return (
    <main
      id="main"
      tabIndex={-1}
      className="grid min-h-[60dvh] place-content-center justify-items-center px-4 text-center"
    >
      <PageTitle title={t.notAllowed} />
      <ShieldX aria-hidden className="size-10 text-ink3" strokeWidth={1.5} />
      <h1 className="mt-3 text-title font-bold tracking-tight">{t.notAllowed}</h1>
      <p className="mt-2 max-w-[44ch] text-ink2">{t.notAllowedDetail}</p>
      <Link to={PATHS.dashboard} className={buttonClass('primary', 'mt-6')}>
        {t.home}
      </Link>
    </main>
  );
}
