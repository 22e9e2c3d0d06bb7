import { ERROR_STATUS, type ErrorCode } from '@vuka/contracts/error-codes';
import type { ErrorBody } from '@vuka/contracts/http/common';
import { findRefusal } from '@vuka/contracts/texts/catalogue';
import { readReason, reason } from '@vuka/contracts/texts/reason';
import { fill } from '@vuka/contracts/texts/text';
import { HttpResponse } from 'msw';

/** `error` is a reason of the contract, as in the message of a rule, or any other text. */
export function errorAnswer(code: ErrorCode, error: string, more: Partial<ErrorBody> = {}) {
  const given = readReason(error);
  const refusal = given && findRefusal(given.reason);
  const text = refusal ? fill(refusal.text, given.params) : error;
  const body: ErrorBody = { error: text, code, ...given, requestId: 'req-1', ...more };
  return HttpResponse.json(body, { status: ERROR_STATUS[code] });
}

/** The gateway's answer to a wrong PIN that it has counted. */
export function wrongPin(attemptsLeft = 2) {
  return errorAnswer('invalid_pin', reason('invalid_pin'), { attemptsLeft });
}
