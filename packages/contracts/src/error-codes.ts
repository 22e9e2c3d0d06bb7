/** Every error code of an answer, with its HTTP status. */
export const ERROR_STATUS = {
  validation_failed: 400,
  unauthenticated: 401,
  invalid_credentials: 401,
  invalid_pin: 401,
  account_blocked: 403,
  forbidden: 403,
  step_up_required: 403,
  pin_required: 403,
  not_found: 404,
  email_taken: 409,
  idempotency_conflict: 409,
  rate_changed: 409,
  not_retryable: 409,
  fee_changed: 409,
  already_decided: 409,
  already_linked: 409,
  payload_too_large: 413,
  invalid_factor: 422,
  insufficient_funds: 422,
  rate_unavailable: 422,
  too_many_attempts: 429,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;
