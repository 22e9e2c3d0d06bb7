import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate, useLocation, useSearchParams } from 'react-router-dom';
import { LoginForm } from '#features/auth/login-form.tsx';
import { RegisterForm } from '#features/auth/register-form.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS, safeNextPath } from '#shared/paths.ts';
import { userQuery } from '#shared/session.ts';
import { LanguageChoice } from '#shared/ui/language-choice.tsx';
import { Notice } from '#shared/ui/notice.tsx';
import { PageTitle } from '#shared/ui/page-title.tsx';
import { Tabs } from '#shared/ui/tabs.tsx';
import { Wordmark } from '#shared/ui/wordmark.tsx';

const MESSAGES = i18n('auth-page', {
  title: 'Log in',
  tagline: 'Send money instantly between Kenya and Tanzania',
  note: 'One wallet in each currency. The rate and the fee are shown before you send.',
  tabs: 'Log in or register',
  login: 'Login',
  register: 'Register',
  resume: 'Log in to continue.',
  signedOut: 'You were signed out',
  expired: 'Your session ended after a period of inactivity, or it was ended elsewhere.',
});

export function AuthPage() {
  const t = useStore(MESSAGES);
  const [search] = useSearchParams();
  const { state } = useLocation() as { state: { hasExpired?: boolean } | null };
  const hasExpired = state?.hasExpired === true;
  const [tab, setTab] = useState<'login' | 'register'>('login');
  // Set by this page's own sign-in, which navigates after a moment.
  const [isLeaving, setIsLeaving] = useState(false);
  const user = useQuery(userQuery()).data;
  const next = safeNextPath(search.get('next'));
  if (user && !isLeaving) return <Navigate to={next ?? PATHS.send} replace />;
  const Form = tab === 'login' ? LoginForm : RegisterForm;
  return (
    <main className="relative mx-auto grid min-h-dvh max-w-narrow content-start gap-x-16 px-4 pt-6 pb-16 sm:px-6 sm:pt-16 lg:max-w-wide lg:grid-cols-[1fr_27rem] lg:pt-[max(6rem,14dvh)]">
      <PageTitle title={t.title} />
      <div className="lg:self-start lg:pt-6">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <Wordmark />
          <div className="lg:absolute lg:top-6 lg:right-6">
            <LanguageChoice isSmall />
          </div>
        </div>
        <h1 className="mt-8 max-w-[17ch] text-h1 font-bold tracking-tight text-balance lg:text-amount">{t.tagline}</h1>
        <p className="mt-3 max-w-[44ch] text-ink2">{t.note}</p>
      </div>
      <div className="mt-8 lg:mt-0 lg:rounded-card lg:bg-surface lg:p-6 lg:shadow-1">
        {next || hasExpired ? (
          <div className="mb-5">
            <Notice tone="info" {...(hasExpired ? { title: t.signedOut } : {})}>
              {hasExpired ? <p>{t.expired}</p> : null}
              {next ? <p>{t.resume}</p> : null}
            </Notice>
          </div>
        ) : null}
        <Tabs
          label={t.tabs}
          tabs={[
            { name: 'login', label: t.login },
            { name: 'register', label: t.register },
          ]}
          selected={tab}
          onSelect={setTab}
        >
          <Form onSignedIn={() => setIsLeaving(true)} />
        </Tabs>
      </div>
    </main>
  );
}
