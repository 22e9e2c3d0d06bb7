import { useStore } from '@nanostores/react';
import { Withdraw } from '#features/withdrawals/withdraw.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { Page } from '#shared/ui/page.tsx';

const MESSAGES = i18n('withdraw-page', { title: 'Withdraw', back: 'Back to the dashboard' });

export function WithdrawPage() {
  const t = useStore(MESSAGES);
  return (
    <Page title={t.title} back={{ to: PATHS.dashboard, label: t.back }}>
      <Withdraw />
    </Page>
  );
}
