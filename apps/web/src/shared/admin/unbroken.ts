/** A text that no line ends within, such as the number of a phone beside other words. */
export function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}
