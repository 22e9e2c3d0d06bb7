import { useStore } from '@nanostores/react';
import { LogoutButton } from '#features/auth/logout-button.tsx';
import { ActivityCard } from '#features/profile/activity-card.tsx';
import { AppearanceCard } from '#features/profile/appearance-card.tsx';
import { LanguageCard } from '#features/profile/language-card.tsx';
import { AccountCard, PreferencesCard } from '#features/profile/profile-card.tsx';
import { SecurityLinkCard } from '#features/profile/security-link-card.tsx';
import { SupportNote } from '#features/profile/support-note.tsx';
import { WithdrawalLinksCard } from '#features/profile/withdrawal-links-card.tsx';
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
          <ActivityCard />
          <SecurityLinkCard />
          <WithdrawalLinksCard />
        </Stack>
        <Stack>
          <PreferencesCard saved={user.defaultCurrency} />
          <AppearanceCard />
          <LanguageCard />
          <LogoutButton />
          <SupportNote />
        </Stack>
      </Columns>
    </Page>
  );
}
