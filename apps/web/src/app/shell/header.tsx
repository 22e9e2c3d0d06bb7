import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { useAbout } from '#shared/house.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { Wordmark } from '#shared/ui/wordmark.tsx';

const FIXED_AFTER_PX = 10;

const MESSAGES = i18n('header', { home: params('{system}, go to the dashboard') });

function useScrolledPast(limitPx: number): boolean {
  const [isPast, setIsPast] = useState(false);
  useEffect(() => {
    const onScroll = (): void => setIsPast(window.scrollY > limitPx);
    // In the next frame, which lays the page out anyway: reading the position here would force an extra layout.
    const frame = requestAnimationFrame(onScroll);
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', onScroll);
    };
  }, [limitPx]);
  return isPast;
}

export function Header() {
  const t = useStore(MESSAGES);
  const { systemName: system } = useAbout();
  const isFixed = useScrolledPast(FIXED_AFTER_PX);
  return (
    // The outer height is constant, so that nothing jumps when the bar becomes fixed.
    <div className="no-print h-[calc(3.5rem+env(safe-area-inset-top))]">
      <header
        className={`app-header inset-x-0 top-0 z-40 flex h-[calc(3.5rem+env(safe-area-inset-top))] items-center justify-center bg-canvas pt-[env(safe-area-inset-top)] ${isFixed ? 'fixed border-b border-line' : ''}`}
      >
        <Link to={PATHS.dashboard} aria-label={t.home({ system })} className="flex rounded-chip px-2 py-1.5">
          <Wordmark />
        </Link>
      </header>
    </div>
  );
}
