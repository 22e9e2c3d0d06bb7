import { useStore } from '@nanostores/react';
import { AuthDebugger } from '#features/auth-debugger/auth-debugger.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { useSessionUser } from '#shared/session.ts';
import { Card } from '#shared/ui/card.tsx';
import { Page } from '#shared/ui/page.tsx';

const MESSAGES = i18n('debug-page', { title: 'Debug', user: 'Current user', email: 'Email', name: 'Name', id: 'ID' });

export function DebugPage() {
  const t = useStore(MESSAGES);
  const user = useSessionUser();
  if (!user) return null;
  const facts = [
    [t.email, user.email],
    [t.name, user.fullName],
    [t.id, user.id],
  ] as const;
  return (
    <Page title={t.title}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Card title={t.user}>
          <dl className="nums divide-y divide-line px-4 sm:px-5">
            {facts.map(([label, value]) => (
              <div key={label} className="flex flex-wrap items-baseline justify-between gap-x-4 py-3">
                <dt className="text-small text-ink2">{label}</dt>
                {/* A phone shows the ID on one line. */}
                <dd className={`min-w-0 break-all ${label === t.id ? 'text-caption' : ''}`}>{value}</dd>
              </div>
            ))}
          </dl>
          <pre className="m-4 mt-1 rounded-control whitespace-pre-wrap bg-sunken p-4 text-caption sm:mx-5">
            {JSON.stringify(user, null, 2)}
          </pre>
        </Card>
        <AuthDebugger />
      </div>
    </Page>
  );
}
