import type { ReactNode } from 'react';
import { PageTitle } from '#shared/ui/page-title.tsx';

interface AdminPageProps {
  title: string;
  description?: string;
  /** The way to the page before it. */
  back?: ReactNode;
  children: ReactNode;
}

export function AdminPage({ title, description, back, children }: AdminPageProps) {
  return (
    <div className="mx-auto max-w-admin px-4 pt-4 pb-8 sm:px-6">
      <PageTitle title={title} />
      <header className="mb-5">
        {back}
        <h1 className="text-title font-bold tracking-tight">{title}</h1>
        {description ? <p className="mt-0.5 text-small text-pretty text-ink2">{description}</p> : null}
      </header>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">{children}</div>
    </div>
  );
}
