/** Prevents line breaks within a text, such as a phone number beside other words. */
export function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}
