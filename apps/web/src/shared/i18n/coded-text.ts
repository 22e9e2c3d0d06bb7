import type { TextCodes } from '@vuka/contracts/http/common';
import { fill } from '@vuka/contracts/texts/text';

/**
 * Translates a text of the server sentence by sentence, by its codes. Returns the English if there are no codes, as in
 * entries of earlier releases, or if a code has no text. `texts` is empty in English.
 */
export function codedText(
  texts: Readonly<Record<string, string>>,
  codes: TextCodes | undefined,
  english: string,
): string {
  const sentences = codes?.map(({ code, params }) => Object.hasOwn(texts, code) && fill(texts[code] ?? '', params));
  return sentences?.every(Boolean) ? sentences.join(' ') : english;
}
