import * as admin from './0001-admin.ts';
import * as withdrawalLimits from './0002-withdrawal-limits.ts';

export const migrations = { '0001-admin': admin, '0002-withdrawal-limits': withdrawalLimits };
