import * as admin from './0001-admin.ts';

export const migrations = { '0001-admin': admin };
