import { splitPhone } from '@vuka/money/phones';
import { wholePhones } from '@vuka/money/whole-phones';
import { readLocalPhone } from '#shared/format/phone.ts';
import { adminTransactionPath } from '#shared/paths.ts';

export interface SearchPage {
  to: string;
  label: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const PHONE = /^\+?[\d\s().-]{6,20}$/;

/** The page of a transaction, if the text is its complete id. */
export function transactionTarget(typed: string): string | undefined {
  const id = typed.trim();
  return UUID.test(id) ? adminTransactionPath(id.toLowerCase()) : undefined;
}

/** The search text for merchants. A phone number, in any notation, is reduced to its local digits. */
export function merchantSearch(typed: string): string {
  const text = typed.trim();
  return PHONE.test(text) ? readLocalPhone(text).digits.replace('+', '') : text;
}

/** A complete phone number: with its country code, or with a leading zero if it could be of several countries. */
export function recipientSearch(typed: string): string | undefined {
  const [phone, other] = wholePhones(typed);
  return other === undefined ? phone : `0${splitPhone(other)?.local}`;
}

const LONGEST_LIST = 6;

/** The pages whose name holds the text, those that begin with it first; all of them while there is none. */
export function matchingPages(pages: readonly SearchPage[], typed: string): SearchPage[] {
  const wanted = typed.trim().toLowerCase();
  const isStart = ({ label }: SearchPage): number => Number(label.toLowerCase().startsWith(wanted));
  return pages
    .filter(({ label }) => label.toLowerCase().includes(wanted))
    .sort((one, other) => isStart(other) - isStart(one))
    .slice(0, LONGEST_LIST);
}
