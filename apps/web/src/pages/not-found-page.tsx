import { useStore } from '@nanostores/react';
import { Link } from 'react-router-dom';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { buttonClass } from '#shared/ui/button.tsx';
import { PageTitle } from '#shared/ui/page-title.tsx';
import { Wordmark } from '#shared/ui/wordmark.tsx';

const MESSAGES = i18n('not-found-page', {
  title: 'Page Not Found',
  detail: 'The address may be mistyped, or the page has moved.',
  home: 'Go to the dashboard',
});

export function NotFoundPage() {
  const t = useStore(MESSAGES);
  return (
    <main className="grid min-h-[80dvh] place-content-center justify-items-center px-4 text-center">
      <PageTitle title={t.title} />
      <Wordmark className="mb-8" />
      <p className="nums text-small font-semibold text-ink3">404</p>
      <h1 className="mt-1 text-h1 font-bold tracking-tight">{t.title}</h1>
      <p className="mt-2 text-balance text-ink2">{t.detail}</p>
      <Link to={PATHS.dashboard} className={buttonClass('primary', 'mt-6')}>
        {t.home}
      </Link>
    </main>
  );
}
