import { useStore } from '@nanostores/react';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { i18n } from '#shared/i18n/i18n.ts';
import { lazyExtra } from '#shared/lazy-extra.tsx';
import { useAdminPages } from './admin-navigation.tsx';

const AdminSearch = lazyExtra(() => import('#features/admin-search/admin-search.tsx').then((file) => file.AdminSearch));

const MESSAGES = i18n('admin/search-button', { search: 'Search' });

/** Opens the search; so does Ctrl-K, or Command-K. */
export function SearchButton({ isWide }: { isWide: boolean }) {
  const t = useStore(MESSAGES);
  const [isOpen, setIsOpen] = useState(false);
  const pages = useAdminPages();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
      // A second dialog over a question would hide what is being decided.
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      setIsOpen(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        aria-label={isWide ? undefined : t.search}
        className={
          isWide
            ? 'mx-3 mt-3 flex min-h-10 items-center gap-3 rounded-control border border-line bg-surface px-3 text-small text-ink2 hover:bg-sunken'
            : 'mt-1 grid size-12 place-items-center rounded-control text-ink2 hover:bg-sunken hover:text-ink'
        }
        onClick={() => setIsOpen(true)}
      >
        <Search aria-hidden className={isWide ? 'size-4.5 shrink-0' : 'size-6'} />
        {isWide ? (
          <>
            {t.search}
            <kbd aria-hidden className="ml-auto rounded-chip bg-sunken px-1.5 font-sans text-caption text-ink2">
              Ctrl K
            </kbd>
          </>
        ) : null}
      </button>
      {isOpen ? <AdminSearch pages={pages} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}
