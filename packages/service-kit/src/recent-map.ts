/** A map with a bound: beyond it, the key that was set longest ago is forgotten. */
export interface RecentMap<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
}

export function createRecentMap<Value>(most: number): RecentMap<Value> {
  const values = new Map<string, Value>();
  return {
    get: (key) => values.get(key),
    set(key, value) {
      // Deleted first: a map keeps the order in which keys were added, so the first one was set longest ago.
      values.delete(key);
      values.set(key, value);
      if (values.size <= most) return;
      const [oldest] = values.keys();
      if (oldest !== undefined) values.delete(oldest);
    },
    delete: (key) => void values.delete(key),
  };
}
