import { ERROR_STATUS, type ErrorCode } from '@vuka/contracts/error-codes';
import type { ErrorBody } from '@vuka/contracts/http/common';
import { HttpResponse } from 'msw';

export function errorAnswer(code: ErrorCode, error: string, more: Partial<ErrorBody> = {}) {
  const body: ErrorBody = { error, code, requestId: 'req-1', ...more };
  return HttpResponse.json(body, { status: ERROR_STATUS[code] });
}

/** The gateway's answer to a wrong PIN that it has counted. */
export function wrongPin(attemptsLeft = 2) {
  return errorAnswer('invalid_pin', 'Invalid PIN', { attemptsLeft });
}
