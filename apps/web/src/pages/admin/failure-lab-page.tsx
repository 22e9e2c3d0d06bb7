import { useStore } from '@nanostores/react';
import { FailureLab } from '#features/failure-lab/failure-lab.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { AdminPage } from './admin-page.tsx';
import { FailurePlay } from './failure-play.tsx';

const MESSAGES = i18n('admin/failure-lab-page', {
  title: 'Failure Lab',
  description:
    'Make the simulated mobile network misbehave, send money to a phone, and see where it ends up. Only demonstrations have this page.',
});

export function FailureLabPage() {
  const t = useStore(MESSAGES);
  return (
    <AdminPage title={t.title} description={t.description}>
      <FailureLab renderPlay={(play) => <FailurePlay play={play} />} />
    </AdminPage>
  );
}
