import { FIELD_RULES } from '@vuka/contracts/texts/field-rules';
import { type GivenReason, readReason } from '@vuka/contracts/texts/reason';
import { fill } from '@vuka/contracts/texts/text';
import { i18n } from './i18n.ts';

type Texts = { get(): Readonly<Record<string, string>> };

/** Failures that this app finds itself. */
const OWN_REASONS = {
  unexpected: 'An unexpected error occurred',
  answer_malformed: 'The server sent an answer that this app does not understand',
  answer_without_user: 'Received invalid user data from server',
  status_unexpected: 'Unexpected response status: {status}',
  pin_attempts_left: 'Invalid PIN. {attempts} {attempts|attempt|attempts} left.',
};
export type OwnReason = keyof typeof OWN_REASONS;

/**
 * The texts of refusals, by reason. In English these are only the rules that forms check, because a refusal of the
 * server contains its English text. The other languages have both.
 */
export const REFUSAL_TEXTS = i18n('refusals', { ...FIELD_RULES, ...OWN_REASONS });

const catalogues: Texts[] = [REFUSAL_TEXTS];

/** Adds the texts of reasons that only some pages need. */
export function addRefusalTexts(texts: Texts): void {
  catalogues.push(texts);
}

/** An older server gives no reason. */
type PossibleReason = { [Key in keyof GivenReason]?: GivenReason[Key] | undefined };

/** The text of a reason in the user's language, or `english` if there is none. */
export function refusalText({ reason = '', params }: PossibleReason, english: string): string {
  const texts = catalogues.map((catalogue) => catalogue.get()).find((known) => Object.hasOwn(known, reason));
  return texts?.[reason] ? fill(texts[reason], params) : english;
}

/** The message of a contract's rule in the user's language. Any other text is returned as it is. */
export function ruleText(message: string): string {
  return refusalText(readReason(message) ?? {}, message);
}
