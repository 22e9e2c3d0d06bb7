import { useStore } from '@nanostores/react';
import { ChangePinCard } from '#features/account-security/change-pin-card.tsx';
import { ContactsCard } from '#features/account-security/contacts-card.tsx';
import { LimitsCard } from '#features/account-security/limits-card.tsx';
import { SessionsCard } from '#features/account-security/sessions-card.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { Page } from '#shared/ui/page.tsx';

const MESSAGES = i18n('security-page', { title: 'Security' });

export function SecurityPage() {
  const t = useStore(MESSAGES);
  return (
    <Page title={t.title}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <ContactsCard />
        <LimitsCard />
        <ChangePinCard />
        <SessionsCard />
      </div>
    </Page>
  );
}
