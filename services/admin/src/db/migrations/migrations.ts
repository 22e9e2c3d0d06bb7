import * as admin from './0001-admin.ts';
import * as auditTrail from './0002-audit-trail.ts';

export const migrations = { '0001-admin': admin, '0002-audit-trail': auditTrail };
