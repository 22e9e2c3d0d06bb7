import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { type AuditEntry, AuditTrail, AuditTrailFilters } from '@vuka/contracts/http/audit-trail';
import { useSearchParams } from 'react-router-dom';
import * as z from 'zod/mini';
import { callApi } from '#shared/api-client.ts';

const PAGE_SIZE = 50;
const EXPORT_PAGE_SIZE = 200;
/** A longer file is no use to anybody in a spreadsheet; the filters make it shorter. */
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

/** What administrators did, newest first; the entries of the last filters stand in while new ones are on their way. */
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

/** Every entry that matches, for a file. */
export async function fetchForExport(filters: AuditTrailFilters): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  let cursor: string | null = '';
  while (cursor !== null && entries.length < LONGEST_EXPORT) {
    const page: AuditTrail = await fetchPage(filters, { cursor, limit: EXPORT_PAGE_SIZE });
    entries.push(...page.entries);
    cursor = page.nextCursor;
  }
  return entries;
}

const NAMES = ['q', 'actor', 'action', 'subject', 'from', 'to'] as const;
export type AuditFilter = (typeof NAMES)[number];

/** The filters live in the address; what is none is passed over, since people edit addresses. */
export function useAuditFilters() {
  const [params, setParams] = useSearchParams();
  const given = NAMES.flatMap((name) => {
    const parsed = z.safeParse(AuditTrailFilters.shape[name], params.get(name) ?? undefined);
    return parsed.success && parsed.data !== undefined ? [[name, parsed.data]] : [];
  });
  const change = (name: AuditFilter, value: string): void =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      // While somebody types, each letter is not a place to come back to.
      { replace: true },
    );
  return { filters: Object.fromEntries(given) as AuditTrailFilters, typed: params, change };
}
