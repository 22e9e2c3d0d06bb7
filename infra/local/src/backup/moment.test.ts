import { expect, test } from 'vitest';
import { readMoment } from './moment.ts';

test.each([
  ['2026-11-21T10:00:00Z', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21 10:00:00.12+00', '2026-11-21T10:00:00.120Z'],
  ['2026-11-21 13:00:00+03', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21 10:00:00-05:30', '2026-11-21T15:30:00.000Z'],
])('%s, as a person or psql writes it, is the moment %s', (text, moment) => {
  expect(readMoment(text).toISOString()).toBe(moment);
});

test.each(['2026-11-21', '2026-11-21T10:00:00', '20261121T100000Z', '2026-13-21T10:00:00Z', '2026-11-21T10:00:00+3'])(
  '%s is refused with an example',
  (text) => {
    expect(() => readMoment(text)).toThrow(/such as 2026-11-21T10:00:00Z/);
  },
);
