import { useStore } from '@nanostores/react';
import { AdjustmentForm } from '#features/adjustments/adjustment-form.tsx';
import { AdjustmentList } from '#features/adjustments/adjustment-list.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { AdminPage } from './admin-page.tsx';

const MESSAGES = i18n('admin/adjustments-page', {
  title: 'Adjustments',
  description:
    'Journals between the operator’s own accounts: top-ups of the float, the provider’s fees, losses and corrections. Each takes two administrators.',
});

export function AdjustmentsPage() {
  const t = useStore(MESSAGES);
  const mayDo = useMayDo();
  return (
    <AdminPage title={t.title} description={t.description}>
      <AdjustmentList />
      {mayDo('adjustments.request') ? <AdjustmentForm /> : null}
    </AdminPage>
  );
}
