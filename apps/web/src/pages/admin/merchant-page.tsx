import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { Link, useParams } from 'react-router-dom';
import { MerchantDetail } from '#features/merchants/merchant-detail.tsx';
import { merchantQuery } from '#features/merchants/merchants.api.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { buttonClass } from '#shared/ui/button.tsx';
import { AdminPage } from './admin-page.tsx';

const MESSAGES = i18n('admin/merchant-page', { title: 'Merchant', all: 'All merchants' });

export function MerchantPage() {
  const t = useStore(MESSAGES);
  const { id = '' } = useParams();
  const { data } = useQuery(merchantQuery(id));
  const back = (
    <Link to={PATHS.merchants} className={buttonClass('quiet', '-ml-3', 'small')}>
      <ArrowLeft aria-hidden className="size-5" />
      {t.all}
    </Link>
  );
  return (
    <AdminPage title={data?.merchant.fullName || t.title} back={back}>
      <MerchantDetail id={id} />
    </AdminPage>
  );
}
