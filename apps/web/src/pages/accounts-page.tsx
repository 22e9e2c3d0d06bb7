import { useStore } from '@nanostores/react';
import { AccountList } from '#features/linked-accounts/account-list.tsx';
import { LinkAccountCard } from '#features/linked-accounts/link-account-card.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { Columns } from '#shared/ui/columns.tsx';
import { Page } from '#shared/ui/page.tsx';

const MESSAGES = i18n('accounts-page', { title: 'Linked Accounts', back: 'Back to your profile' });

export function AccountsPage() {
  const t = useStore(MESSAGES);
  return (
    <Page title={t.title} width="split" back={{ to: PATHS.profile, label: t.back }}>
      <Columns>
        <AccountList />
        <LinkAccountCard />
      </Columns>
    </Page>
  );
}
