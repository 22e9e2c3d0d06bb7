import * as rates from './0001-rates.ts';

export const migrations = { '0001-rates': rates };
