import { useSearchParams } from 'react-router-dom';
import * as z from 'zod/mini';

type Shape = Record<string, z.ZodMiniType>;

/**
 * Filters are stored in the address: a reload keeps them, and a link shares them. An empty value removes a name.
 * `replace` is for text that is being typed: not every letter becomes a history entry.
 */
export function useAddressFilters() {
  const [params, setParams] = useSearchParams();
  const change = (changes: Readonly<Record<string, string>>, options: { replace?: boolean } = {}): void =>
    setParams((current) => {
      const next = new URLSearchParams(current);
      for (const [name, value] of Object.entries(changes)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
      return next;
    }, options);
  return { params, change };
}

/** The filters of an address, parsed by their contracts. Invalid ones are ignored, because people edit addresses. */
export function readFilters<Filters>(shape: Shape, params: URLSearchParams): Filters {
  const given = Object.entries(shape).flatMap(([name, schema]) => {
    const parsed = z.safeParse(schema, params.get(name) ?? undefined);
    return parsed.success && parsed.data !== undefined ? [[name, parsed.data]] : [];
  });
  return Object.fromEntries(given) as Filters;
}
