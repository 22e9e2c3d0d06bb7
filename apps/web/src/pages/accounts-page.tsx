import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { AccountList } from '#features/linked-accounts/account-list.tsx';
import { LinkAccountCard } from '#features/linked-accounts/link-account-card.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { Page } from '#shared/ui/page.tsx';

const MESSAGES = i18n('accounts-page', { title: 'Linked Accounts', back: 'Back to your profile' });

/** The accounts, or in their place the form for another one. */
export function AccountsPage() {
  const t = useStore(MESSAGES);
  const { state } = useLocation() as { state: { isLinking?: boolean } | null };
  // After a reload or Back the history still asks for the form.
  const isAsked = useNavigationType() !== 'POP' && state?.isLinking;
  const [shown, setShown] = useState<'accounts' | 'form' | 'accounts again'>(isAsked ? 'form' : 'accounts');
  return (
    <Page title={t.title} width="split" back={{ to: PATHS.profile, label: t.back }}>
      {shown === 'form' ? (
        <LinkAccountCard onClose={() => setShown('accounts again')} />
      ) : (
        <AccountList isReturn={shown === 'accounts again'} onLink={() => setShown('form')} />
      )}
    </Page>
  );
}
