import { createDatabase } from '@vuka/service-kit/database';
import { createLogger } from '@vuka/service-kit/logger';
import { AUDIT_POOL, createLedgerAuditor, violationsOfMoney } from '@vuka/wallet/audit-ledger';
import type { WalletSchema } from '@vuka/wallet/schema';

/** The invariant on unpublished messages: restored ones look overdue until the next start publishes them. */
const UNPUBLISHED = 'I10';

/** Runs the wallet's own audit over all history. Wallets with violations are frozen, as in a running wallet. */
export async function auditBooks(
  serverUrl: string,
  databasePrefix: string,
  say: (line: string) => void,
): Promise<boolean> {
  const url = new URL(serverUrl);
  url.pathname = `/${databasePrefix}_wallet`;
  const logger = createLogger({ service: 'restore', level: 'silent' });
  const options = { url: url.toString(), service: 'restore', logger, ...AUDIT_POOL };
  const database = createDatabase<WalletSchema>(options);
  try {
    const audit = await createLedgerAuditor({ db: database.db, logger, fullEveryMs: 0 }).audit();
    say('\nThe ledger of the restored books:');
    for (const { id, statement, checked, violations } of audit.invariants) {
      const verdict =
        id === UNPUBLISHED ? `${checked} to go out` : violations > 0 ? `${violations} VIOLATIONS` : 'holds';
      say(`  ${id.padEnd(4)} ${verdict.padEnd(14)} ${statement} (${checked} checked)`);
    }
    return violationsOfMoney(audit) === 0;
  } finally {
    await database.close();
  }
}
