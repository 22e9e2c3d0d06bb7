import { useStore } from '@nanostores/react';
import { MerchantManagement } from '#features/merchants/merchant-management.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { AdminPage } from './admin-page.tsx';

const MESSAGES = i18n('admin/merchants-page', {
  title: 'Merchant Management',
  description: 'All registered merchants. A block signs a merchant out at once and stops new transfers.',
});

export function MerchantsPage() {
  const t = useStore(MESSAGES);
  return (
    <AdminPage title={t.title} description={t.description}>
      <MerchantManagement />
    </AdminPage>
  );
}
