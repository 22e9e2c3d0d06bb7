import { useStore } from '@nanostores/react';
import { RateForm } from '#features/rate-setting/rate-form.tsx';
import { RateHistory } from '#features/rate-setting/rate-history.tsx';
import { RateProposals } from '#features/rate-setting/rate-proposals.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { AdminPage } from './admin-page.tsx';

const MESSAGES = i18n('admin/exchange-rates-page', {
  title: 'Exchange Rates',
  description: 'What merchants get for their money, in both directions. A change applies from the next transfer.',
});

export function ExchangeRatesPage() {
  const t = useStore(MESSAGES);
  const mayDo = useMayDo();
  return (
    <AdminPage title={t.title} description={t.description}>
      <RateProposals />
      {mayDo('rates.set') ? <RateForm /> : null}
      <RateHistory />
    </AdminPage>
  );
}
