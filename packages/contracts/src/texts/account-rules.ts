/** Rules of linked accounts and withdrawals. */
export const ACCOUNT_RULES = {
  account_name_missing: 'Account name is required',
  account_name_too_short: 'Account name must be at least {min} characters',
  account_name_too_long: 'Account name must not exceed {max} characters',
  bank_name_missing: 'Bank name is required',
  bank_name_too_short: 'Bank name must be at least {min} characters',
  bank_name_too_long: 'Bank name must not exceed {max} characters',
  carrier_missing: 'Carrier is required',
  carrier_too_short: 'Carrier must be at least {min} characters',
  carrier_too_long: 'Carrier must not exceed {max} characters',
  carrier_foreign: 'This carrier does not serve the country of this number',
  account_number_missing: 'Account number is required',
  account_number_invalid: 'Account number must be 5 to 34 letters, digits or dashes',
  branch_code_invalid: 'Branch code must be 2 to 20 letters, digits or dashes',
  swift_code_invalid: 'SWIFT code must be 8 or 11 capital letters or digits',
  account_not_chosen: 'Please choose an account',
} as const;
