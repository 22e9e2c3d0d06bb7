import { useStore } from '@nanostores/react';
import { StatementView } from '#features/statement/statement-view.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { Page } from '#shared/ui/page.tsx';

const MESSAGES = i18n('statement-page', { title: 'Statement', back: 'Back to the history' });

export function StatementPage() {
  const t = useStore(MESSAGES);
  return (
    <Page title={t.title} width="wide" back={{ to: PATHS.transactions, label: t.back }}>
      <StatementView />
    </Page>
  );
}
