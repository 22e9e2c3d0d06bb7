import { wholePhones } from '@vuka/money/whole-phones';
import { readLocalPhone } from '#shared/format/phone.ts';
import { adminTransactionPath } from '#shared/paths.ts';

export interface SearchPage {
  to: string;
  label: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const PHONE = /^\+?[\d\s().-]{6,20}$/;

/** The page of a transaction's whole id. */
export function transactionTarget(typed: string): string | undefined {
  const id = typed.trim();
  return UUID.test(id) ? adminTransactionPath(id.toLowerCase()) : undefined;
}

/** What merchants are searched for: a phone number by its local digits, as it may be written in any way. */
export function merchantSearch(typed: string): string {
  const text = typed.trim();
  return PHONE.test(text) ? readLocalPhone(text).digits : text;
}

/** A whole number: with the code of its country, or as it is dialled in any of them. */
export function recipientSearch(typed: string): string | undefined {
  const [phone, other] = wholePhones(typed);
  return other === undefined ? phone : `0${readLocalPhone(typed).digits}`;
}

const LONGEST_LIST = 6;

/** The pages whose name holds the text; all of them while there is none. */
export function matchingPages(pages: readonly SearchPage[], typed: string): SearchPage[] {
  const wanted = typed.trim().toLowerCase();
  return pages.filter(({ label }) => label.toLowerCase().includes(wanted)).slice(0, LONGEST_LIST);
}
