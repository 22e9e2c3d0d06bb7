import type { Language } from '#shared/i18n/i18n.ts';

const ENGLISH_ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const ENGLISH_TENS = '  twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const SWAHILI_ONES = 'sifuri moja mbili tatu nne tano sita saba nane tisa'.split(' ');
const SWAHILI_TENS = ' kumi ishirini thelathini arobaini hamsini sitini sabini themanini tisini'.split(' ');

/** 1 to 999. */
function englishHundreds(value: number): string {
  if (value >= 100) {
    const hundreds = `${ENGLISH_ONES[Math.floor(value / 100)]} hundred`;
    return value % 100 === 0 ? hundreds : `${hundreds} and ${englishHundreds(value % 100)}`;
  }
  if (value < 20) return ENGLISH_ONES[value] ?? '';
  const tens = ENGLISH_TENS[Math.floor(value / 10)] ?? '';
  return value % 10 === 0 ? tens : `${tens}-${ENGLISH_ONES[value % 10]}`;
}

/** 1 to 999. */
function swahiliHundreds(value: number): string {
  if (value >= 100) {
    const hundreds = `mia ${SWAHILI_ONES[Math.floor(value / 100)]}`;
    return value % 100 === 0 ? hundreds : `${hundreds} ${value % 100 < 10 ? 'na ' : ''}${swahiliHundreds(value % 100)}`;
  }
  if (value < 10) return SWAHILI_ONES[value] ?? '';
  const tens = SWAHILI_TENS[Math.floor(value / 10)] ?? '';
  return value % 10 === 0 ? tens : `${tens} na ${SWAHILI_ONES[value % 10]}`;
}

function inEnglish(value: number): string {
  const groups = [
    [1_000_000_000, 1_000, 'billion'],
    [1_000_000, 1_000, 'million'],
    [1_000, 1_000, 'thousand'],
  ] as const;
  const parts = groups.flatMap(([unit, limit, name]) => {
    const many = Math.floor(value / unit) % limit;
    return many === 0 ? [] : [`${englishHundreds(many)} ${name}`];
  });
  const rest = value % 1_000;
  if (rest === 0) return parts.join(', ');
  if (rest < 100 && parts.length > 0) return `${parts.join(', ')} and ${englishHundreds(rest)}`;
  return [...parts, englishHundreds(rest)].join(', ');
}

/** A comma separates the groups: "elfu ishirini na tano" is 25,000, "elfu ishirini, na tano" is 20,005. */
function inSwahili(value: number): string {
  const groups = [
    [1_000_000_000, 1_000, 'bilioni'],
    [1_000_000, 1_000, 'milioni'],
    [100_000, 10, 'laki'],
    [1_000, 100, 'elfu'],
  ] as const;
  const parts = groups.flatMap(([unit, limit, name]) => {
    const many = Math.floor(value / unit) % limit;
    return many === 0 ? [] : [`${name} ${swahiliHundreds(many)}`];
  });
  const rest = value % 1_000;
  if (rest > 0) parts.push(swahiliHundreds(rest));
  const last = parts.pop() ?? '';
  return parts.length === 0 ? last : `${parts.join(', ')}, na ${last}`;
}

/** A whole amount of 1 to 999,999,999,999, given as digits, in words, so that an extra zero is noticed. */
export function amountInWords(digits: string, language: Language): string {
  const value = Number(digits);
  return language === 'sw' ? inSwahili(value) : inEnglish(value);
}
