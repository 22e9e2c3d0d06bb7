import { useStore } from '@nanostores/react';
import { useLocation } from 'react-router-dom';
import { NewPinForm } from '#features/account-security/new-pin-form.tsx';
import { PinResetRequest } from '#features/account-security/pin-reset-request.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { FrontPage } from '#shared/ui/front-page.tsx';

const MESSAGES = i18n('reset-pin-page', {
  title: 'Forgot your PIN?',
  request: 'Enter your email. We send a link to it, and a code to your phone. You need both to choose a new PIN.',
  choose: 'Enter the code that we sent to your phone, and choose a new PIN.',
});

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
    <FrontPage
      title={t.title}
      heading={t.title}
      intro={<p className="mt-3 max-w-[44ch] text-ink2">{id && token ? t.choose : t.request}</p>}
    >
      {id && token ? <NewPinForm key={id} id={id} token={token} /> : <PinResetRequest />}
    </FrontPage>
  );
}
