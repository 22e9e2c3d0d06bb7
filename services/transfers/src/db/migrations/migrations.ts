import * as transfers from './0001-transfers.ts';
import * as history from './0002-history.ts';
import * as withdrawals from './0003-withdrawals.ts';

export const migrations = { '0001-transfers': transfers, '0002-history': history, '0003-withdrawals': withdrawals };
