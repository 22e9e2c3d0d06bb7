import { useStore } from '@nanostores/react';
import { CreditForm } from '#features/merchant-credit/credit-form.tsx';
import { LargeCredits } from '#features/merchant-credit/large-credits.tsx';
import { RecentCredits } from '#features/merchant-credit/recent-credits.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Columns } from '#shared/ui/columns.tsx';
import { AdminPage } from './admin-page.tsx';

const MESSAGES = i18n('admin/credit-merchant-page', {
  title: 'Credit Merchant',
  description: 'Put money into a merchant’s or an administrator’s wallet.',
});

export function CreditMerchantPage() {
  const t = useStore(MESSAGES);
  const mayDo = useMayDo();
  return (
    <AdminPage title={t.title} description={t.description}>
      <Columns>
        {mayDo('credits.make') ? <CreditForm /> : null}
        {mayDo('credits.read') ? <RecentCredits /> : null}
      </Columns>
      <LargeCredits />
    </AdminPage>
  );
}
