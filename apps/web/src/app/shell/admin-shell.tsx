import '#shared/admin/admin-refusals.ts';
import { useStore } from '@nanostores/react';
import { Menu, ShieldX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { Dialog } from '#shared/admin/dialog.tsx';
import { PinAsker } from '#shared/admin/pin-dialog.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { loadAbout } from '#shared/house.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { type SessionUser, useSessionUser } from '#shared/session.ts';
import { buttonClass } from '#shared/ui/button.tsx';
import { PageTitle } from '#shared/ui/page-title.tsx';
import { useMediaQuery } from '#shared/use-media-query.ts';
import { ADMIN_NAVIGATION, AdminNavigation, entryOf } from './admin-navigation.tsx';
import { Main } from './main.tsx';
import { SearchButton } from './search-button.tsx';

const LAPTOP = '(min-width: 64rem)';

const MESSAGES = i18n('admin/shell', {
  notAllowed: 'You do not have access to this page',
  notAllowedDetail: 'It is for administrators. If you should have access, ask one of them.',
  home: 'Go to the dashboard',
  notOfRole: 'Your role does not open this page',
  notOfRoleDetail: 'You can use the pages in the menu. If you need this one, ask an owner to change your role.',
  adminHome: 'Go to the admin dashboard',
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
  const mayDo = useMayDo();
  if (!user?.isAdmin) return <NotAllowed />;
  const entry = entryOf(pathname);
  const mayOpen = !entry || mayDo(entry.right);
  const name = user.fullName || user.username;
  return (
    <div className="lg:grid lg:grid-cols-[248px_minmax(0,1fr)]">
      {isLaptop ? (
        // Beside the header, which is empty there: on a low screen every entry of the menu needs the height.
        <div className="admin-side sticky top-0 z-40 -mt-14 flex h-dvh flex-col border-r border-line bg-canvas">
          <SearchButton isWide />
          <AdminNavigation name={name} />
        </div>
      ) : (
        <TopBar user={user} />
      )}
      {mayOpen ? <Main className="min-w-0 lg:pt-2 lg:pb-4" /> : <NotOfRole />}
      <PinAsker />
    </div>
  );
}

/** The menu and the search, beside the wordmark. Without a height of its own, it leaves the wordmark's link clickable. */
function TopBar({ user }: { user: SessionUser }) {
  const t = useStore(ADMIN_NAVIGATION);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <nav
      aria-label={t.menu}
      className="no-print fixed inset-x-0 top-0 z-40 flex h-0 items-start justify-between px-2 pt-[env(safe-area-inset-top)]"
    >
      <button
        type="button"
        aria-label={t.menu}
        aria-haspopup="dialog"
        className="mt-1 grid size-12 place-items-center rounded-control text-ink2 hover:bg-sunken hover:text-ink"
        onClick={() => setIsOpen(true)}
      >
        <Menu aria-hidden className="size-6" />
      </button>
      <SearchButton isWide={false} />
      {isOpen ? (
        <Dialog title={t.label} shape="drawer" onClose={() => setIsOpen(false)}>
          {/* The rest of the screen below the drawer's head: the list scrolls, and the name at its foot stays in view. */}
          <div className="flex h-[calc(100dvh-3.5rem)] flex-col">
            <AdminNavigation name={user.fullName || user.username} onNavigate={() => setIsOpen(false)} />
          </div>
        </Dialog>
      ) : null}
    </nav>
  );
}

function NotAllowed() {
  const t = useStore(MESSAGES);
  return <Refused title={t.notAllowed} detail={t.notAllowedDetail} to={PATHS.dashboard} link={t.home} />;
}

function NotOfRole() {
  const t = useStore(MESSAGES);
  return <Refused title={t.notOfRole} detail={t.notOfRoleDetail} to={PATHS.admin} link={t.adminHome} />;
}

interface RefusedProps {
  title: string;
  detail: string;
  to: string;
  link: string;
}

function Refused({ title, detail, to, link }: RefusedProps) {
  return (
    <main
      id="main"
      tabIndex={-1}
      className="grid min-h-[60dvh] place-content-center justify-items-center px-4 text-center"
    >
      <PageTitle title={title} />
      <ShieldX aria-hidden className="size-10 text-ink3" strokeWidth={1.5} />
      <h1 className="mt-3 text-title font-bold tracking-tight">{title}</h1>
      <p className="mt-2 max-w-[44ch] text-balance text-ink2">{detail}</p>
      <Link to={to} className={buttonClass('primary', 'mt-6')}>
        {link}
      </Link>
    </main>
  );
}
