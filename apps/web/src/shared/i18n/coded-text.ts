import type { TextCodes } from '@vuka/contracts/http/common';
import { fill } from '@vuka/contracts/texts/text';

/**
 * A text of the server in the user's language: sentence by sentence, by its codes. `texts` is empty in English. Without
 * codes, as in entries of earlier releases, and with one that has no text, the English is returned.
 */
export function codedText(
  texts: Readonly<Record<string, string>>,
  codes: TextCodes | undefined,
  english: string,
): string {
  const sentences = codes?.map(({ code, params }) => Object.hasOwn(texts, code) && fill(texts[code] ?? '', params));
  return sentences?.every(Boolean) ? sentences.join(' ') : english;
}
