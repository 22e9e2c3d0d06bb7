import { i18n } from './i18n.ts';

type Texts = Record<string, string>;

interface Catalogue {
  /** The name under which `i18n` has the texts. */
  name: string;
  messages: { get: () => Texts };
}

interface Pattern {
  regex: RegExp;
  read: () => string;
}

const catalogues: Catalogue[] = [];
/** Compiled on the first lookup: most visits need none. */
let patterns: Pattern[] | undefined;

/** Registers sentences that only some pages need. */
export function addSentences(catalogue: Catalogue): void {
  catalogues.push(catalogue);
  patterns = undefined;
}

function patternsOf({ name, messages }: Catalogue): Pattern[] {
  return Object.entries(i18n.cache.en[name] as unknown as Texts).map(([key, english]) => {
    const escaped = english.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
    return {
      regex: new RegExp(`^${escaped.replace(/\{(\w+)\}/g, '(?<$1>.+)')}$`),
      read: () => messages.get()[key] ?? english,
    };
  });
}

/** A message of a rule or of the server in the user's language; an unknown one is returned as it is. */
export function translate(sentence: string): string {
  patterns ??= catalogues.flatMap(patternsOf);
  const pattern = patterns.find(({ regex }) => regex.test(sentence));
  if (!pattern) return sentence;
  const values = pattern.regex.exec(sentence)?.groups ?? {};
  return pattern.read().replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}
