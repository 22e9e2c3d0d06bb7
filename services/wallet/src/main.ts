import { createDatabase } from '@vuka/service-kit/database';
import { durabilityCheck } from '@vuka/service-kit/durability';
import { listeningPart } from '@vuka/service-kit/http-app';
import { pollingPart } from '@vuka/service-kit/poll';
import { createService } from '@vuka/service-kit/service';
import { buildApp } from './app.ts';
import { AUDIT_POOL, createLedgerAuditor, violationsOfMoney } from './audit/audit-ledger.ts';
import { auditPart } from './audit/audit-part.ts';
import { config } from './config.ts';
import { migrations } from './db/migrations/migrations.ts';
import type { WalletSchema } from './db/schema.ts';
import { expireHolds } from './holds/expire-holds.ts';
import { createLedgerWriter } from './ledger/ledger-writer.ts';

const settings = config();
const service = createService<WalletSchema>({ name: 'wallet', settings, migrations });
const { db, logger, metrics } = service;

const commits = metrics.counter('vuka_wallet_commits_total', 'Committed batches');
const journals = metrics.counter('vuka_wallet_journals_total', 'Committed journals');
let lastBatch = 0;
let violations = 0;
let auditedAtMs = 0;
const writer = createLedgerWriter({
  url: settings.DATABASE_URL,
  logger,
  onCommit(written, pack) {
    commits.inc();
    journals.inc(written);
    lastBatch = written;
    if (pack) service.publishCommitted(pack);
  },
});
metrics.gauge('vuka_wallet_queue_depth', 'Operations waiting for the writer', () => writer.queued());
metrics.gauge('vuka_wallet_batch_size', 'Journals of the last commit', () => lastBatch);
metrics.gauge('vuka_wallet_audit_violations', 'Violations of money found by the last audit', () => violations);
metrics.gauge('vuka_wallet_audited_at_seconds', 'Time at which the last audit finished', () => auditedAtMs / 1_000);

const auditDatabase = createDatabase<WalletSchema>({
  url: settings.DATABASE_URL,
  service: 'wallet-audit',
  logger,
  ...AUDIT_POOL,
});
const fullEveryMs = settings.VUKA_FULL_AUDIT_MINUTES * 60_000;
const auditor = createLedgerAuditor({ db: auditDatabase.db, logger, fullEveryMs });
const checks = { ...service.checks, ledger: () => writer.isConnected() };
const app = buildApp({ ...service, checks, writer, auditor });

service.run({
  first: [listeningPart(app, { host: settings.HOST, port: settings.PORT })],
  whenReady: [
    durabilityCheck({ db, logger }),
    { name: 'ledger writer', start: () => writer.start(), stop: () => writer.stop() },
    pollingPart({
      name: 'hold expiry',
      everyMs: settings.VUKA_HOLD_EXPIRY_SECONDS * 1_000,
      logger,
      run: async () => void (await expireHolds({ db, writer })),
    }),
    auditPart({
      auditor,
      writer,
      everyMs: settings.VUKA_AUDIT_SECONDS * 1_000,
      logger,
      onAudited(audit) {
        violations = violationsOfMoney(audit);
        auditedAtMs = Date.now();
      },
    }),
  ],
});
