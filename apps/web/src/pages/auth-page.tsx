import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate, useLocation, useSearchParams } from 'react-router-dom';
import { LoginForm } from '#features/auth/login-form.tsx';
import { RegisterForm } from '#features/auth/register-form.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS, safeNextPath } from '#shared/paths.ts';
import { userQuery } from '#shared/session.ts';
import { FrontPage } from '#shared/ui/front-page.tsx';
import { Notice } from '#shared/ui/notice.tsx';
import { Tabs } from '#shared/ui/tabs.tsx';

const MESSAGES = i18n('auth-page', {
  title: 'Log in',
  tagline: 'Send money instantly between Kenya and Tanzania',
  note: 'One wallet in each currency. The rate and the fee are shown before you send.',
  once: 'Never paid twice, even if you confirm twice',
  returned: 'If a transfer fails, your money comes back',
  receipt: 'A receipt that anyone can verify',
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
    <FrontPage
      title={t.title}
      heading={t.tagline}
      intro={<p className="mt-5 hidden max-w-[44ch] text-ink2 sm:block">{t.note}</p>}
      foot={
        <ul className="mt-8 grid content-start gap-2 text-small text-ink2">
          {[t.once, t.returned, t.receipt].map((promise) => (
            <li key={promise} className="flex items-center gap-2">
              <span aria-hidden className="text-ok">
                ✓
              </span>
              {promise}
            </li>
          ))}
        </ul>
      }
    >
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
    </FrontPage>
  );
}
