import { LogoutButton } from '#features/auth/logout-button.tsx';
import { AppearanceCard } from '#features/profile/appearance-card.tsx';
import { AccountCard, PreferencesCard } from '#features/profile/profile-card.tsx';
import { useSessionUser } from '#shared/session.ts';
import { Page } from '#shared/ui/page.tsx';

const TITLE = 'Profile Settings';

export function ProfilePage() {
  const user = useSessionUser();
  if (!user) return null;
  return (
    <Page title={TITLE}>
      <div className="grid gap-4">
        <AccountCard user={user} />
        <PreferencesCard key={user.defaultCurrency} user={user} />
        <AppearanceCard />
        <LogoutButton />
      </div>
    </Page>
  );
}
