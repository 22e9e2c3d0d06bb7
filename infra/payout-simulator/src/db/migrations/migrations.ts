import * as simulator from './0001-simulator.ts';
import * as paymentReports from './0002-payment-reports.ts';

export const migrations = { '0001-simulator': simulator, '0002-payment-reports': paymentReports };
