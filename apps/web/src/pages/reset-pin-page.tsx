import { useStore } from '@nanostores/react';
import { useLocation } from 'react-router-dom';
import { NewPinForm } from '#features/account-security/new-pin-form.tsx';
import { PinResetRequest } from '#features/account-security/pin-reset-request.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { LanguageChoice } from '#shared/ui/language-choice.tsx';
import { PageTitle } from '#shared/ui/page-title.tsx';
import { Wordmark } from '#shared/ui/wordmark.tsx';

const MESSAGES = i18n('reset-pin-page', { title: 'Forgot your PIN?' });

/**
 * Without a link it asks for the account; with the link of the email, for a new PIN. The link's token follows the `#`,
 * which browsers send to no server.
 */
export function ResetPinPage() {
  const t = useStore(MESSAGES);
  const { hash } = useLocation();
  const link = new URLSearchParams(hash.slice(1));
  const [id, token] = [link.get('id'), link.get('token')];
  return (
    <main className="mx-auto grid max-w-narrow gap-6 px-4 pt-[calc(1.25rem+env(safe-area-inset-top))] pb-10">
      <PageTitle title={t.title} />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Wordmark />
        <LanguageChoice isSmall />
      </div>
      <h1 className="text-title font-bold tracking-tight">{t.title}</h1>
      {id && token ? <NewPinForm key={id} id={id} token={token} /> : <PinResetRequest />}
    </main>
  );
}
