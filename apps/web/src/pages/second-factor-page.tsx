import '#shared/admin/admin-refusals.ts';
import { useStore } from '@nanostores/react';
import { useQueryClient } from '@tanstack/react-query';
import { useLogout } from '#features/auth/use-logout.ts';
import { GiveFactor } from '#shared/admin/give-factor.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { lazyExtra } from '#shared/lazy-extra.tsx';
import { USER_KEY, useSessionUser } from '#shared/session.ts';
import { Button } from '#shared/ui/button.tsx';
import { LanguageChoice } from '#shared/ui/language-choice.tsx';
import { PageTitle } from '#shared/ui/page-title.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { Wordmark } from '#shared/ui/wordmark.tsx';

const MESSAGES = i18n('admin/second-factor-page', {
  give: 'One more step',
  giveDetail: 'Your PIN is right. Finish signing in with your passkey or authenticator app.',
  leave: 'Log out',
  add: 'Protect your account',
  addDetail:
    'Administrators sign in with a second factor besides the PIN. Add one to continue: a passkey of this device, or an authenticator app on your phone.',
});

/** Imported from the same file as on the security page, so that it is loaded once. */
const SecondFactorsCard = lazyExtra(
  () => import('#features/second-factors/second-factors-card.tsx').then((file) => file.SecondFactorsCard),
  <Skeleton className="h-40" />,
);

/** Completes an administrator's sign-in: until then every other page leads here. */
export function SecondFactorPage() {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  const leaving = useLogout();
  const isGiving = useSessionUser()?.secondFactor === 'pending';
  const title = isGiving ? t.give : t.add;
  return (
    <main id="main" className="mx-auto grid max-w-narrow gap-6 px-4 pt-[calc(1.25rem+env(safe-area-inset-top))] pb-10">
      <PageTitle title={title} />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Wordmark />
        <LanguageChoice isSmall />
      </div>
      <div>
        <h1 className="text-title font-bold tracking-tight">{title}</h1>
        <p className="mt-2 text-pretty text-ink2">{isGiving ? t.giveDetail : t.addDetail}</p>
      </div>
      {isGiving ? (
        <GiveFactor onGiven={() => void client.invalidateQueries({ queryKey: USER_KEY })} />
      ) : (
        <SecondFactorsCard />
      )}
      <Button variant="danger" isBusy={leaving.isPending} onClick={() => leaving.mutate()}>
        {t.leave}
      </Button>
    </main>
  );
}
