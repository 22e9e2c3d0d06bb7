import * as logs from './0001-logs.ts';

export const migrations = { '0001-logs': logs };
