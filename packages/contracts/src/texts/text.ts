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
  return /^\d{4,}\.\d\d$/.test(value) ? value.replace(/\B(?=(\d{3})+\.)/g, ',') : value;
}
