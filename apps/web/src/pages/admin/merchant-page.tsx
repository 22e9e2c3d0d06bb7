import { useStore } from '@nanostores/react';
import { ArrowLeft } from 'lucide-react';
import { Link, useParams } from 'react-router-dom';
import { MerchantDetail } from '#features/merchants/merchant-detail.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { buttonClass } from '#shared/ui/button.tsx';
import { AdminPage } from './admin-page.tsx';

const MESSAGES = i18n('admin/merchant-page', { title: 'Merchant', all: 'All merchants' });

export function MerchantPage() {
  const t = useStore(MESSAGES);
  const { id = '' } = useParams();
  const back = (
    <Link to={PATHS.merchants} className={buttonClass('quiet', '-ml-3', 'small')}>
      <ArrowLeft aria-hidden className="size-5" />
      {t.all}
    </Link>
  );
  return (
    <AdminPage title={t.title} back={back}>
      <MerchantDetail id={id} />
    </AdminPage>
  );
}
