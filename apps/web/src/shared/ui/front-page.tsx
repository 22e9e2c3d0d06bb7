import type { ReactNode } from 'react';
import { LanguageChoice } from './language-choice.tsx';
import { PageTitle } from './page-title.tsx';
import { Wordmark } from './wordmark.tsx';

interface FrontPageProps {
  /** The title of the window. */
  title: string;
  heading: string;
  /** Below the heading. */
  intro?: ReactNode;
  /** On a card, beside the heading on a laptop. */
  children: ReactNode;
  /** Below the card, or on a laptop below the intro. */
  foot?: ReactNode;
}

/** The layout of the pages of people who are not signed in yet. */
export function FrontPage({ title, heading, intro, children, foot }: FrontPageProps) {
  return (
    <main
      id="main"
      // Nearly centres a low form and a high one: the tabs stay in place when one replaces the other.
      className="relative mx-auto grid min-h-dvh max-w-narrow content-start items-start gap-x-8 px-4 pt-6 pb-8 sm:px-6 sm:pt-16 lg:max-w-wide lg:grid-cols-[1fr_31rem] lg:grid-rows-[auto_1fr] lg:pt-[max(6rem,50dvh-17rem)]"
    >
      <PageTitle title={title} />
      <div className="lg:pt-6">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 lg:absolute lg:inset-x-6 lg:top-6">
          <Wordmark />
          <LanguageChoice isSmall />
        </div>
        <h1 className="mt-8 lg:mt-0 text-h1 font-bold tracking-tight text-balance lg:text-[2.75rem]/[1.1]">
          {heading}
        </h1>
        {intro}
      </div>
      <div className="mt-8 lg:row-span-2 lg:mt-0 lg:rounded-card lg:bg-surface lg:p-6 lg:shadow-1">{children}</div>
      {foot}
    </main>
  );
}
