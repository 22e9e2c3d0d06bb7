import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorMessage } from '#shared/api-client.ts';
import { formatTimeOn } from '#shared/format/date.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import { LoadError } from '#shared/ui/load-error.tsx';
import { Notice } from '#shared/ui/notice.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';

const MESSAGES = i18n('admin/query-body', {
  loading: 'Loading',
  stale: params('This could not be updated. The data is from {time}.'),
});

interface QueryBodyProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'dataUpdatedAt'> & { refetch: () => unknown };
  /** The message of a failed load, given the error's own message. */
  failed: (message: string) => { title: string; detail?: string };
  children: (data: Data) => ReactNode;
}

/** Renders a list's placeholders, its error, or its data, which stay on screen if only a refresh fails. */
export function QueryBody<Data>({ query, failed, children }: QueryBodyProps<Data>) {
  const t = useStore(MESSAGES);
  const { data, error } = query;
  if (data === undefined) {
    return error ? (
      <LoadError {...failed(errorMessage(error))} onRetry={() => void query.refetch()} />
    ) : (
      <Rows label={t.loading} />
    );
  }
  return (
    <>
      {error ? (
        <div className="px-4 pb-3 sm:px-5">
          <Notice tone="warn" role="status">
            {t.stale({ time: formatTimeOn(query.dataUpdatedAt) })}
          </Notice>
        </div>
      ) : null}
      {children(data)}
    </>
  );
}

/** As `QueryBody`, for data with cards of their own: a card holds the placeholders or the error before them. */
export function QueryCards<Data>(props: QueryBodyProps<Data>) {
  const body = <QueryBody {...props} />;
  return props.query.data === undefined ? <Card className="overflow-hidden">{body}</Card> : body;
}

function Rows({ label }: { label: string }) {
  return (
    <div role="status" className="divide-y divide-line border-t border-line">
      <span className="sr-only">{label}</span>
      {[0, 1, 2, 3, 4].map((row) => (
        <div key={row} className="flex h-11 items-center gap-6 px-4 sm:px-5">
          <Skeleton className="h-4 w-24" />
          <Skeleton className="h-4 w-full max-w-96" />
          <Skeleton className="ml-auto h-4 w-20" />
        </div>
      ))}
    </div>
  );
}
