import type { LedgerAudit } from '@vuka/contracts/http/ledger-audit';
import type { Logger } from '@vuka/service-kit/logger';
import { type Part, pollingPart } from '@vuka/service-kit/poll';
import type { LedgerWriter } from '#ledger/ledger-writer.ts';
import type { LedgerAuditor } from './audit-ledger.ts';

/**
 * Audits repeatedly, and walks through older history, in the process of the active writer only. Stopping abandons a
 * running audit, which only reads.
 */
export function auditPart(options: {
  auditor: LedgerAuditor;
  writer: Pick<LedgerWriter, 'takeLease'>;
  everyMs: number;
  logger: Logger;
  onAudited(audit: LedgerAudit): void;
}): Part {
  const { auditor, writer, everyMs, logger } = options;
  const stopping = new AbortController();
  const polling = pollingPart({
    name: 'audit',
    everyMs,
    logger,
    async run() {
      if (!(await writer.takeLease()) || stopping.signal.aborted) return;
      const audited = auditor.audit({ isPaced: true }).then(options.onAudited).then(auditor.walk);
      const stopped = Promise.withResolvers<void>();
      const leave = () => stopped.resolve();
      stopping.signal.addEventListener('abort', leave);
      await Promise.race([audited, stopped.promise]).finally(() => stopping.signal.removeEventListener('abort', leave));
    },
  });
  return {
    ...polling,
    async stop() {
      stopping.abort();
      await polling.stop();
    },
  };
}
