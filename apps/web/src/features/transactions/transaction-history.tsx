import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { transactionsQuery } from '#shared/api/transactions.api.ts';
import { errorMessage } from '#shared/api-client.ts';
import { Button } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { LoadError } from '#shared/ui/load-error.tsx';
import { TransactionList, TransactionListSkeleton } from './transaction-list.tsx';

const TEXT = {
  failed: 'Transactions could not be loaded',
  more: 'Show more',
} as const;

const SLICE = 30;

export function TransactionHistory() {
  const { data, error, refetch } = useQuery(transactionsQuery('history'));
  const [shown, setShown] = useState(SLICE);
  if (!data) {
    return (
      <Card className="overflow-hidden">
        {error ? (
          <LoadError title={TEXT.failed} detail={errorMessage(error)} onRetry={() => void refetch()} />
        ) : (
          <TransactionListSkeleton rows={8} />
        )}
      </Card>
    );
  }
  return (
    <>
      <Card className="overflow-hidden">
        <div className={data.length === 0 ? 'pt-4' : ''}>
          <TransactionList items={data.slice(0, shown)} />
        </div>
      </Card>
      {data.length > shown ? (
        <Button variant="secondary" className="mx-auto mt-4 flex" onClick={() => setShown(shown + SLICE)}>
          {TEXT.more}
        </Button>
      ) : null}
    </>
  );
}
