/** Rules of a statement's period. */
export const STATEMENT_RULES = {
  period_reversed: 'The first day must not be after the last',
  period_too_long: 'A statement covers {months} months at most',
} as const;
