import * as transfers from './0001-transfers.ts';

export const migrations = { '0001-transfers': transfers };
