import * as transfers from './0001-transfers.ts';
import * as history from './0002-history.ts';
import * as openRetries from './0003-open-retries.ts';

export const migrations = { '0001-transfers': transfers, '0002-history': history, '0003-open-retries': openRetries };
