import * as transfers from './0001-transfers.ts';
import * as history from './0002-history.ts';

export const migrations = { '0001-transfers': transfers, '0002-history': history };
