import { useSearchParams } from 'react-router-dom';
import * as z from 'zod/mini';

type Shape = Record<string, z.ZodMiniType>;

/**
 * Filters live in the address: a reload keeps them, and a link shares them. An empty value takes a name away. `replace`
 * is for what somebody types: each letter is not a place to come back to.
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

/** The filters of an address by their contracts; what is no filter is passed over, since people edit addresses. */
export function readFilters<Filters>(shape: Shape, params: URLSearchParams): Filters {
  const given = Object.entries(shape).flatMap(([name, schema]) => {
    const parsed = z.safeParse(schema, params.get(name) ?? undefined);
    return parsed.success && parsed.data !== undefined ? [[name, parsed.data]] : [];
  });
  return Object.fromEntries(given) as Filters;
}
