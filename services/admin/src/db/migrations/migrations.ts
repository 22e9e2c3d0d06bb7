import * as admin from './0001-admin.ts';
import * as notifications from './0003-notifications.ts';

export const migrations = { '0001-admin': admin, '0003-notifications': notifications };
