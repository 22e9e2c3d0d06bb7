import { createHttpApp, type HttpApp, type HttpAppOptions } from '@vuka/service-kit/http-app';
import { auditRoutes } from '#audit/audit.routes.ts';
import type { LedgerAuditor } from '#audit/audit-ledger.ts';
import { balancesRoutes } from '#balances/balances.routes.ts';
import type { Db } from '#db/schema.ts';
import { adjustmentRoutes, ledgerRoutes } from '#ledger/ledger.routes.ts';
import type { LedgerWriter } from '#ledger/ledger-writer.ts';
import { statementRoutes } from '#statements/statements.routes.ts';

export type AppDeps = Pick<HttpAppOptions, 'logger' | 'checks' | 'metrics'> &
  Required<Pick<HttpAppOptions, 'tokens'>> & {
    db: Db;
    writer: Pick<LedgerWriter, 'submit' | 'isConnected'>;
    auditor: LedgerAuditor;
  };

export function buildApp(deps: AppDeps): HttpApp {
  const app = createHttpApp({ service: 'wallet', ...deps });
  ledgerRoutes(app, deps);
  adjustmentRoutes(app, deps);
  balancesRoutes(app, deps);
  statementRoutes(app, deps);
  auditRoutes(app, deps);
  return app;
}
