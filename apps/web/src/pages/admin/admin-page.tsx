import type { ReactNode } from 'react';

interface AdminPageProps {
  title: string;
  description?: string;
  /** What can be done here, opposite the title. */
  actions?: ReactNode;
  children: ReactNode;
}

export function AdminPage({ title, description, actions, children }: AdminPageProps) {
  return (
    <div className="mx-auto max-w-admin px-4 pt-4 pb-8 sm:px-6">
      <title>{`${title} – Vuka`}</title>
      <header className="mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div>
          <h1 className="text-title font-bold tracking-tight">{title}</h1>
          {description ? <p className="mt-0.5 max-w-[66ch] text-small text-ink2">{description}</p> : null}
        </div>
        {actions}
      </header>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">{children}</div>
    </div>
  );
}
