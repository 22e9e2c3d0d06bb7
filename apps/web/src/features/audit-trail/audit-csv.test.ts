import { expect, test } from 'vitest';
import { auditEntries } from '#test/operations-fixtures.ts';
import { auditCsv } from './audit-csv.ts';

test('the export has one line per entry, and gives formulas to a spreadsheet as text', () => {
  const csv = auditCsv(auditEntries);
  expect(csv.match(/\r\n/g)).toHaveLength(auditEntries.length + 1);
  expect(csv).toContain(`"'=HYPERLINK(""http://evil.test"")"`);
  expect(csv).toContain('"{""buyRate"":""23.2"",""markup"":""2""}"');
});
