import { glob, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

/** Whole words, in identifiers too. RabbitMQ has users tagged `administrator`, so only the plural counts. */
const BUSINESS =
  /\b(admins?|administrators|merchants?|pins?|wallets?|ledgers?|transfers?|payouts?|deposits?|withdrawals?|currency|currencies|exchange rates?|fees?|approvals?)\b/;

const wordsOf = (source: string) => source.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();

test('the kit knows no word of the business: a bakery could be built with it', async () => {
  const found: string[] = [];
  for await (const file of glob('**/*.ts', { cwd: import.meta.dirname, exclude: ['**/*.test.ts'] })) {
    const lines = (await readFile(`${import.meta.dirname}/${file}`, 'utf8')).split('\n');
    found.push(...lines.filter((line) => BUSINESS.test(wordsOf(line))).map((line) => `${file}: ${line.trim()}`));
  }
  expect(found).toEqual([]);
});
