import * as users from './0001-users.ts';

export const migrations = { '0001-users': users };
