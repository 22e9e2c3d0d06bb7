import type { PlainReason, Reason, ReasonParams } from './catalogue.ts';
import type { Params } from './text.ts';

/** A reason and the values of its text's placeholders, as an answer carries them. */
export interface GivenReason {
  reason: string;
  params?: Params;
}

/**
 * A reason as the message of a schema's rule, which can only be a string: `pin_length`, or `name_too_long {"max":100}`.
 * `readReason` reads it.
 */
export function reason<R extends Reason>(name: R, ...[params]: R extends PlainReason ? [] : [ReasonParams<R>]): string {
  return params === undefined ? name : `${name} ${JSON.stringify(params)}`;
}

/** The reason in a rule's message; undefined for a message of another library, such as zod's own. */
export function readReason(message: string): GivenReason | undefined {
  const [, name, params] = /^([a-z_]+)(?: (\{.*\}))?$/.exec(message) ?? [];
  return name === undefined ? undefined : { reason: name, ...(params ? { params: JSON.parse(params) } : {}) };
}

/** The values that a field may have, for a text: "A, B or C". */
export function allowed(values: readonly string[]): { allowed: string } {
  return { allowed: `${values.slice(0, -1).join(', ')} or ${values.at(-1)}` };
}
