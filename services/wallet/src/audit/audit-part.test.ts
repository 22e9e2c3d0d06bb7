import type { LedgerAudit } from '@vuka/contracts/http/ledger-audit';
import { createLogger } from '@vuka/service-kit/logger';
import { afterEach, expect, test, vi } from 'vitest';
import { auditPart } from './audit-part.ts';

const logger = createLogger({ service: 'wallet-test', level: 'silent' });
const clean: LedgerAudit = { holds: true, checkedAt: '2026-01-15T09:00:00.000Z', invariants: [] };
const audit = vi.fn<() => Promise<LedgerAudit>>(async () => clean);
const onAudited = vi.fn<(audit: LedgerAudit) => void>();
const part = () =>
  auditPart({
    auditor: { audit, walk: async () => undefined },
    writer: { takeLease: async () => true },
    everyMs: 1,
    logger,
    onAudited,
  });

afterEach(() => {
  vi.restoreAllMocks();
  audit.mockReset().mockResolvedValue(clean);
  onAudited.mockReset();
});

test('audits repeatedly without leaking listeners', async () => {
  const added = vi.spyOn(EventTarget.prototype, 'addEventListener');
  const removed = vi.spyOn(EventTarget.prototype, 'removeEventListener');
  const auditing = part();
  await auditing.start();
  await vi.waitFor(() => expect(onAudited.mock.calls.length).toBeGreaterThan(20));
  expect(added.mock.calls.length - removed.mock.calls.length).toBeLessThan(5);
  await auditing.stop();
});

test('reports no result of a failed audit, and continues', async () => {
  audit.mockRejectedValueOnce(new Error('canceling statement due to statement timeout'));
  const auditing = part();
  await auditing.start();
  await vi.waitFor(() => expect(onAudited).toHaveBeenCalled());
  expect(audit.mock.calls.length).toBeGreaterThan(onAudited.mock.calls.length);
  await auditing.stop();
});

test('stops during an audit', async () => {
  audit.mockReturnValue(new Promise(() => undefined));
  const auditing = part();
  await auditing.start();
  await vi.waitFor(() => expect(audit).toHaveBeenCalled());
  await auditing.stop();
  expect(onAudited).not.toHaveBeenCalled();
});
