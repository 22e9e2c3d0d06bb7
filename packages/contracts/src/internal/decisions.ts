import * as z from 'zod/mini';
import { Id } from '../http/common.ts';
import { Refusal } from '../http/withdrawals.ts';

/** One administrator's decision on another's request. The PIN is checked first and goes no further. */
export const Decision = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('approve') }),
  z.extend(Refusal, { kind: z.literal('refuse') }),
]);
export type Decision = z.infer<typeof Decision>;

/** `POST /internal/large-credits/decide`, `/internal/rate-proposals/decide`, `/internal/limit-proposals/decide`. */
export const DecisionRequest = z.object({ id: Id, decision: Decision });
export type DecisionRequest = z.infer<typeof DecisionRequest>;
