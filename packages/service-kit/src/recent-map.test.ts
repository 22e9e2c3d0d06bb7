import { expect, test } from 'vitest';
import { createRecentMap } from './recent-map.ts';

test('beyond the bound, the key that was set longest ago is forgotten', () => {
  const map = createRecentMap<number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.set('a', 3);
  map.set('c', 4);
  expect(['a', 'b', 'c'].map(map.get)).toEqual([3, undefined, 4]);
});
