import type { ErrorCode } from '../error-codes.ts';

/** A refusal as the API answers it: the public code and the English text, with placeholders. */
export interface Refusal {
  code: ErrorCode;
  text: string;
}
