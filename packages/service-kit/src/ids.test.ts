import { expect, test } from 'vitest';
import { firstIdAt, uuidv7 } from './ids.ts';

test('an id sorts between the first id of its own millisecond and that of the next', () => {
  const at = new Date('2031-05-01T00:00:00.000Z');
  const made = uuidv7(at.getTime());
  expect(firstIdAt(at) <= made).toBe(true);
  expect(made < firstIdAt(new Date(at.getTime() + 1))).toBe(true);
});
