/** The values of a text's placeholders. */
export type Params = Readonly<Record<string, string | number>>;

type Placeholder<Text extends string> = Text extends `${string}{${infer Inner}}${infer Rest}`
  ? NameOf<Inner> | Placeholder<Rest>
  : never;
type NameOf<Inner extends string> = Inner extends `${infer Name}|${string}` ? Name : Inner;

/** The parameters that a text needs, by its placeholders. */
export type ParamsOf<Text extends string> = { readonly [Name in Placeholder<Text>]: string | number };

/**
 * Replaces the placeholders of a text: `{max}` by the value of `max`, and `{minutes|minute|minutes}` by its first word
 * if `minutes` is 1, otherwise by its second. Amounts (decimal strings) get thousands separators.
 */
export function fill(text: string, params: Params = {}): string {
  return text.replace(/\{(\w+)(?:\|([^{|}]*)\|([^{|}]*))?\}/g, (_, name: string, one?: string, other?: string) =>
    grouped(String((one === undefined ? params[name] : params[name] === 1 ? one : other) ?? '')),
  );
}

/** "10,000.00" for "10000.00"; anything else stays as it is. */
function grouped(value: string): string {
  if (!/^\d{4,15}\.\d\d$/.test(value)) return value;
  const [whole = '', cents] = value.split('.');
  const groups: string[] = [];
  for (let end = whole.length; end > 0; end -= 3) groups.unshift(whole.slice(Math.max(0, end - 3), end));
  return `${groups.join(',')}.${cents}`;
}
