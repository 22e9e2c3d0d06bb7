import '#features/statement/statement-sentences.ts';
import '#shared/admin/admin-sentences.ts';
import '#shared/i18n/account-sentences.ts';
import '#shared/i18n/transfer-notes.ts';
import { expect, test } from 'vitest';
import { chooseLanguage } from '#shared/i18n/i18n.ts';
import { translate } from '#shared/i18n/sentences.ts';

const files: Record<string, string> = import.meta.glob(
  ['/services/*/src/**/*.ts', '/packages/{service-kit/src,contracts/src/http}/**/*.ts', '!/**/*.test.ts'],
  { query: '?raw', import: 'default', eager: true },
);

const SENTENCE = /(['"`])([A-Z](?:(?!\1)[^\n\\])* (?:(?!\1)[^\n\\])*)\1/.source;
/** The code in front of a sentence that a refusal or a ledger rule shows. */
const BEFORE = {
  services: /(?:\bnew AppError\(\s*'\w+',|\bknownForm\([\w.]+,|\bmessage =|\bissue\('\w+',|\b(?:error|statement):)\s*/,
  // In contracts the sentence may also be a constant or an argument that is passed on to `error`.
  contracts: /(?:\berror:|\b[A-Z_]+ =|\b(?:decimalInput|amountInput|amountFromZero|optionalCode)\((?:\/.*\/, )?)\s*/,
};

function sentencesOf([path, text]: [string, string]): string[] {
  const before = path.includes('/contracts/') ? BEFORE.contracts : BEFORE.services;
  const found = [...text.matchAll(new RegExp(before.source + SENTENCE, 'g'))];
  return found.map(([, , sentence = '']) => sentence.replace(/\$\{.*?\}/g, '5'));
}

/** Only seen by programs and command lines: no request of a page can cause these refusals. */
const TO_PROGRAMS = [
  'A dead message can be sent again or dropped',
  'A valid API key is needed.',
  'Account number is required',
  'Account type must be mobile_money or bank',
  'Currency must be 5',
  'Direction must be 5',
  'Each notification is on or off',
  'Invalid Idempotency-Key',
  'Invalid cursor',
  'Invalid id',
  'Last-Event-ID is not of this feed',
  'No administrator has the email 5.',
  'Nothing to change',
  'Only services of this system may ask this.',
  'Reference is required',
  'Search for a transaction ID, a phone number or an amount',
  'Search for one text',
  'Search must be at most 100 characters',
  'Search must be one text',
  'Status must be PENDING, PROCESSING, SETTLED, FAILED or CANCELLED',
  'Status must be awaiting_approval, approved or refused',
  'Status must be awaiting_approval, approved, refused, superseded or expired',
  'Status must be awaiting_approval, pending, payment_submitted, completed or failed',
  'The PIN must be four digits, and not one that is guessed first.',
  'The address could not be read.',
  "The recipient's number must start with 5 for 5",
  'The request could not be read.',
  'The request is too large.',
  'There is nothing at this address.',
  'This is not a receipt code',
  'The request could not be read. Send JSON as application/json.',
  'The signature of this callback is not valid.',
  'This callback could not be read.',
  'This clientTransactionId was used for a different transfer.',
  'This key was used for a different deposit.',
  'This request comes from another site.',
  'Too many pages are open at once.',
  'Too many streams are open at once.',
  'Transaction type must be transfer or withdrawal',
  'Unknown sort',
];

test('every refusal of a service or contract that a page can show has a Kiswahili translation', async () => {
  await chooseLanguage('sw');
  const said = new Set(Object.entries(files).flatMap(sentencesOf));
  const unknown = [...said].filter((sentence) => translate(sentence) === sentence);
  expect(said.size).toBeGreaterThan(120);
  expect(unknown.sort()).toEqual(TO_PROGRAMS.sort());
});
