import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { Statement, type StatementQuery } from '@vuka/contracts/http/statements';
import { callApi } from '#shared/api-client.ts';

export function statementQuery(period: StatementQuery) {
  return queryOptions({
    queryKey: ['/api/statement', period],
    queryFn: ({ signal }) => callApi(`/api/statement?${new URLSearchParams(period)}`, Statement, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    meta: { silent: true },
  });
}

export function statementFilePath(period: StatementQuery): string {
  return `/api/statement.csv?${new URLSearchParams(period)}`;
}
