import { expect, test } from 'vitest';
import { cutPage } from './page.ts';

const idOf = ({ id }: { id: string }) => id;
const rowsOf = (...ids: string[]) => ids.map((id) => ({ id }));

test('a page continues after its last row while a row more was found, and never shows that row', () => {
  expect(cutPage(rowsOf('3', '2', '1'), 2, idOf)).toEqual({ rows: rowsOf('3', '2'), nextCursor: '2' });
});

test.each([[[]], [['3']], [['3', '2']]])('a page of %j out of two is the last one', (ids) => {
  expect(cutPage(rowsOf(...ids), 2, idOf)).toEqual({ rows: rowsOf(...ids), nextCursor: null });
});
