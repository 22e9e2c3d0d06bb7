import { useStore } from '@nanostores/react';
import { ChangePinRow } from '#features/account-security/change-pin-row.tsx';
import { ContactsCard } from '#features/account-security/contacts-card.tsx';
import { LimitsCard } from '#features/account-security/limits-card.tsx';
import { SessionsCard } from '#features/account-security/sessions-card.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { lazyAgain } from '#shared/lazy-again.ts';
import { lazyExtra } from '#shared/lazy-extra.tsx';
import { PATHS } from '#shared/paths.ts';
import { useSessionUser } from '#shared/session.ts';
import { Card } from '#shared/ui/card.tsx';
import { Stack } from '#shared/ui/columns.tsx';
import { Page } from '#shared/ui/page.tsx';

const MESSAGES = i18n('security-page', { title: 'Security', back: 'Back to the profile' });

/** For administrators only. */
const SecondFactorsCard = lazyExtra(() =>
  import('#features/second-factors/second-factors-card.tsx').then((file) => file.SecondFactorsCard),
);

/** In place of a row that loads later, because it is rarely needed. */
const CLOSED_ROW = <div className="min-h-14" />;

const ExportRow = lazyExtra(
  () => import('#features/account-security/export-row.tsx').then((file) => file.ExportRow),
  CLOSED_ROW,
);
const CloseAccountRow = lazyExtra(
  () => import('#features/account-security/close-account-row.tsx').then((file) => file.CloseAccountRow),
  CLOSED_ROW,
);

const SecondFactorPage = lazyAgain(async () => (await import('./second-factor-page.tsx')).SecondFactorPage);

/** The user's own security; for an administrator whose sign-in is not complete, only what completes it. */
export function SecurityPage() {
  const factor = useSessionUser()?.secondFactor;
  return factor === 'pending' || factor === 'enrol' ? <SecondFactorPage /> : <OwnSecurity />;
}

function OwnSecurity() {
  const t = useStore(MESSAGES);
  const isAdmin = useSessionUser()?.isAdmin ?? false;
  return (
    <Page title={t.title} width="split" back={{ to: PATHS.profile, label: t.back }}>
      {/* In one column the limits follow the contacts, which raise them, and what is rarely needed is last. */}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2 lg:grid-rows-[auto_1fr]">
        <ContactsCard />
        <div className="lg:row-span-2">
          <Stack>
            <LimitsCard />
            <SessionsCard />
          </Stack>
        </div>
        <Stack>
          {isAdmin ? <SecondFactorsCard /> : null}
          <Card className="divide-y divide-line overflow-hidden">
            <ChangePinRow />
            {isAdmin ? null : <ExportRow />}
            {isAdmin ? null : <CloseAccountRow />}
          </Card>
        </Stack>
      </div>
    </Page>
  );
}
