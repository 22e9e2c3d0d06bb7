import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { type AuditEntry, AuditTrail, AuditTrailFilters } from '@vuka/contracts/http/audit-trail';
import { readFilters, useAddressFilters } from '#shared/address-filters.ts';
import { callApi } from '#shared/api-client.ts';

const PAGE_SIZE = 50;
const EXPORT_PAGE_SIZE = 200;
/** A longer file is of little use in a spreadsheet; filters narrow it. */
const LONGEST_EXPORT = 5_000;

interface PageOf {
  cursor: string;
  limit: number;
  signal?: AbortSignal;
}

function fetchPage(filters: AuditTrailFilters, { cursor, limit, signal }: PageOf): Promise<AuditTrail> {
  const given = Object.entries({ ...filters, cursor }).filter(([, value]) => value);
  const query = new URLSearchParams({ ...(Object.fromEntries(given) as Record<string, string>), limit: String(limit) });
  return callApi(`/api/admin/audit-trail?${query}`, AuditTrail, signal ? { signal } : {});
}

/** Administrators' actions, newest first. The previous results stay on screen while new ones load. */
export function auditTrailQuery(filters: AuditTrailFilters) {
  return infiniteQueryOptions({
    queryKey: ['/api/admin/audit-trail', filters],
    queryFn: ({ pageParam, signal }) => fetchPage(filters, { cursor: pageParam, limit: PAGE_SIZE, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ entries }) => entries),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** The newest entries that match, for an export, and whether there are more. */
export async function fetchForExport(filters: AuditTrailFilters): Promise<{ entries: AuditEntry[]; isCut: boolean }> {
  const entries: AuditEntry[] = [];
  let cursor: string | null = '';
  while (cursor !== null && entries.length < LONGEST_EXPORT) {
    const page: AuditTrail = await fetchPage(filters, { cursor, limit: EXPORT_PAGE_SIZE });
    entries.push(...page.entries);
    cursor = page.nextCursor;
  }
  return { entries, isCut: cursor !== null };
}

export type AuditFilter = keyof typeof AuditTrailFilters.shape;

export function useAuditFilters() {
  const { params, change } = useAddressFilters();
  return {
    filters: readFilters<AuditTrailFilters>(AuditTrailFilters.shape, params),
    typed: params,
    change: (changes: Partial<Record<AuditFilter, string>>): void => change(changes, { replace: true }),
  };
}
