/** Rules of one-time codes and new PINs. */
export const SECURITY_RULES = {
  code_digits: 'Please enter the 6-digit code',
  link_invalid: 'This link is not valid',
  pins_different: 'PINs do not match',
} as const;
