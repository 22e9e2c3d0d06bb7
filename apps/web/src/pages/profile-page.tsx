import { useStore } from '@nanostores/react';
import { LogoutButton } from '#features/auth/logout-button.tsx';
import { LinksCard } from '#features/profile/links-card.tsx';
import { AccountCard, PreferencesCard } from '#features/profile/profile-card.tsx';
import { SupportNote } from '#features/profile/support-note.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { useSessionUser } from '#shared/session.ts';
import { Columns, Stack } from '#shared/ui/columns.tsx';
import { Page } from '#shared/ui/page.tsx';

const MESSAGES = i18n('profile-page', { title: 'Profile Settings' });

export function ProfilePage() {
  const t = useStore(MESSAGES);
  const user = useSessionUser();
  if (!user) return null;
  return (
    <Page title={t.title} width="split">
      <Columns>
        <Stack>
          <AccountCard user={user} />
          <LinksCard />
        </Stack>
        <Stack>
          <PreferencesCard saved={user.defaultCurrency} />
          <LogoutButton />
          <SupportNote />
        </Stack>
      </Columns>
    </Page>
  );
}
