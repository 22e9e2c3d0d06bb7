import { ledgerMigration } from './0001-ledger.ts';

export const migrations = { '0001-ledger': ledgerMigration };
