import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { QueryBody } from '#shared/admin/query-body.tsx';
import { ShowMore } from '#shared/admin/show-more.tsx';
import { TransactionTable } from '#shared/admin/transaction-table.tsx';
import { formatSearched, transfersToQuery } from '#shared/admin/transfers-to.api.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import { AdminPage } from './admin-page.tsx';

const MESSAGES = i18n('admin/transfers-to-page', {
  title: params('Transactions to {phone}'),
  description: 'Those of all merchants, newest first. Open one for its statuses and its calls to the provider.',
  list: 'Transactions',
  empty: 'No transaction went to this number',
  failed: 'The transactions could not be loaded',
});

/** The transactions to one phone number, for questions of the person who has it. */
export function TransfersToPage() {
  const t = useStore(MESSAGES);
  const [search] = useSearchParams();
  const phone = search.get('recipient') ?? '';
  const query = useInfiniteQuery(transfersToQuery(phone));
  return (
    <AdminPage title={t.title({ phone: formatSearched(phone) })} description={t.description}>
      <Card title={t.list}>
        <QueryBody query={query} failed={(detail) => ({ title: t.failed, detail })}>
          {(items) => (
            <>
              <TransactionTable label={t.list} items={items} empty={t.empty} />
              <ShowMore query={query} />
            </>
          )}
        </QueryBody>
      </Card>
    </AdminPage>
  );
}
