import { TransactionFilters } from '@vuka/contracts/http/transfers';
import { useSearchParams } from 'react-router-dom';
import * as z from 'zod/mini';

const NAMES = ['q', 'status', 'direction', 'from', 'to'] as const;
export type FilterName = (typeof NAMES)[number];

export type FilterChange = Partial<Record<FilterName, string>>;

/** The filters of an address; what is no filter is passed over, since people edit addresses. */
function readFilters(params: URLSearchParams): TransactionFilters {
  const given = NAMES.flatMap((name) => {
    const parsed = z.safeParse(TransactionFilters.shape[name], params.get(name) ?? undefined);
    return parsed.success && parsed.data !== undefined ? [[name, parsed.data]] : [];
  });
  return Object.fromEntries(given);
}

/** The filters live in the address: a reload keeps them, the back button takes the last one off, a link shares them. */
export function useHistoryFilters() {
  const [params, setParams] = useSearchParams();
  const change = (changes: FilterChange, options: { replace?: boolean } = {}): void =>
    setParams((current) => {
      const next = new URLSearchParams(current);
      for (const [name, value] of Object.entries(changes)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
      return next;
    }, options);
  const clear = (): void => change({ q: '', status: '', direction: '', from: '', to: '' });
  return { filters: readFilters(params), change, clear };
}
