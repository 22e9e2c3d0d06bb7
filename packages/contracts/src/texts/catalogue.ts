import { ACCOUNT_RULES } from './account-rules.ts';
import { ADMIN_REFUSALS } from './admin-refusals.ts';
import { ADMIN_RULES } from './admin-rules.ts';
import { FIELD_RULES } from './field-rules.ts';
import { PROGRAM_REFUSALS } from './program-refusals.ts';
import { PROGRAM_RULES } from './program-rules.ts';
import type { Refusal } from './refusal.ts';
import { REFUSALS } from './refusals.ts';
import { SECURITY_RULES } from './security-rules.ts';
import { STATEMENT_RULES } from './statement-rules.ts';
import type { ParamsOf } from './text.ts';

const ALL_REFUSALS = { ...REFUSALS, ...ADMIN_REFUSALS, ...PROGRAM_REFUSALS };
const ALL_RULES = {
  ...FIELD_RULES,
  ...ACCOUNT_RULES,
  ...SECURITY_RULES,
  ...STATEMENT_RULES,
  ...ADMIN_RULES,
  ...PROGRAM_RULES,
};

type Texts = typeof ALL_RULES & { [R in keyof typeof ALL_REFUSALS]: (typeof ALL_REFUSALS)[R]['text'] };

/** Why a request is refused: the key of a text in every language. Finer than the public `code`, and as stable. */
export type Reason = keyof Texts;

/** The parameters of a reason's text. */
export type ReasonParams<R extends Reason> = ParamsOf<Texts[R]>;

/** The reasons whose text has no parameters. */
export type PlainReason = { [R in Reason]: keyof ReasonParams<R> extends never ? R : never }[Reason];

/** The public code and the English text of a reason; undefined if this release does not know the reason. */
export function findRefusal(reason: string): Refusal | undefined {
  if (Object.hasOwn(ALL_REFUSALS, reason)) return ALL_REFUSALS[reason as keyof typeof ALL_REFUSALS];
  if (!Object.hasOwn(ALL_RULES, reason)) return undefined;
  return { code: 'validation_failed', text: ALL_RULES[reason as keyof typeof ALL_RULES] };
}
