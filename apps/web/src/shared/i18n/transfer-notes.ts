import type { TextCodes } from '@vuka/contracts/http/common';
import { codedText } from './coded-text.ts';
import { i18n } from './i18n.ts';

/** The notes of a transfer's timeline and status. Their English is in the server's answers. */
export const NOTE_TEXTS = i18n<Record<string, string>>('transfer-notes', {});

/** A note in the user's language. */
export function noteText(english: string, codes: TextCodes | undefined): string {
  return codedText(NOTE_TEXTS.get(), codes, english);
}
