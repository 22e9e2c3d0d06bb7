import { ArrowLeft } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { Link } from 'react-router-dom';
import { PageTitle } from '#shared/ui/page-title.tsx';

const WIDTHS = {
  narrow: 'max-w-merchant',
  wide: 'max-w-wide',
  /** One column, and two on a laptop. */
  split: 'max-w-merchant lg:max-w-wide',
  admin: 'max-w-admin',
} as const;

interface PageProps {
  title: string;
  /** Set by pages that return the focus to their heading. */
  headingRef?: RefObject<HTMLHeadingElement | null>;
  width?: keyof typeof WIDTHS;
  /** The target of the arrow beside the title. */
  back?: { to: string; label: string };
  /** Instead of `back`: a button that leads to the step before. */
  arrow?: ReactNode;
  /** Leaves a phone's first view to the content: the navigation names the page, and a screen reader the heading. */
  isTitleHiddenOnPhone?: boolean;
  aside?: ReactNode;
  children: ReactNode;
}

export function Page(props: PageProps) {
  const { title, headingRef, width = 'narrow', back, arrow, isTitleHiddenOnPhone, aside, children } = props;
  return (
    <div className={`mx-auto px-4 pt-2 sm:px-6 ${WIDTHS[width]}`}>
      <PageTitle title={title} />
      <header
        className={`mb-4 flex min-h-12 flex-wrap items-center justify-between gap-2 ${isTitleHiddenOnPhone ? 'max-sm:sr-only' : ''}`}
      >
        <div className="flex min-w-0 items-center gap-1">
          {back ? (
            <Link
              to={back.to}
              aria-label={back.label}
              className="-ml-3 grid size-12 shrink-0 place-items-center rounded-control text-ink2 hover:bg-sunken hover:text-ink"
            >
              <ArrowLeft aria-hidden className="size-6" />
            </Link>
          ) : null}
          {arrow}
          <h1 ref={headingRef} tabIndex={headingRef && -1} className="text-title font-bold tracking-tight outline-none">
            {title}
          </h1>
        </div>
        {aside}
      </header>
      {children}
    </div>
  );
}
