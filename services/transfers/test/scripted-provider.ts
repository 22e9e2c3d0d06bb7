import { failureOf } from '#payouts/pawapay/pawapay.domain.ts';
import type {
  BalancesResult,
  PayoutProvider,
  PayoutReport,
  StatementResult,
  StatusResult,
  SubmitResult,
} from '#payouts/payout-provider.ts';

/** A provider that gives scripted answers and records its requests. */
export function createScriptedProvider() {
  const submits: { id: string; body: string }[] = [];
  const inquiries: string[] = [];
  const script = {
    submit: { kind: 'accepted', state: 'accepted' } as SubmitResult,
    status: { kind: 'ambiguous', reason: 'not scripted' } as StatusResult,
    /** The results of the first requests; then `submit` applies. */
    submitFirst: [] as SubmitResult[],
    /** Runs between a request and its answer. */
    beforeAnswer: async (_payoutId: string): Promise<unknown> => undefined,
    /** Runs between an inquiry and its answer. */
    beforeStatus: async (_payoutId: string): Promise<unknown> => undefined,
    statement: { kind: 'lines', lines: [] } as StatementResult,
    balances: { kind: 'unavailable', reason: 'not scripted' } as BalancesResult,
  };
  const call = (operation: string) => ({
    provider: 'scripted',
    operation,
    url: 'http://provider.test',
    requestMethod: 'POST',
    requestBody: {},
    responseBody: {},
    responseStatus: 200,
    success: true,
  });
  const provider: PayoutProvider = {
    id: 'scripted',
    prepare: (request) => JSON.stringify(request),
    async submit(id, body, record, isTooLate) {
      if (isTooLate?.()) return { kind: 'not_sent', reason: 'it is too late' };
      submits.push({ id, body });
      record(call('submit'));
      await script.beforeAnswer(id);
      return script.submitFirst.shift() ?? script.submit;
    },
    async status(id, record) {
      inquiries.push(id);
      record(call('status'));
      await script.beforeStatus(id);
      return script.status;
    },
    readFailure: failureOf,
    async readCallback(callback, record) {
      record(call('callback'));
      const reports = JSON.parse(callback.rawBody.toString()) as PayoutReport[];
      return { ok: true, isTrusted: !callback.headers.unsigned, reports, answer: { status: 200 } };
    },
    async statement(_period, { isNeeded, most }, record) {
      record(call('statement'));
      if (script.statement.kind !== 'lines') return script.statement;
      const lines = script.statement.lines.filter(isNeeded);
      return lines.length > most ? { kind: 'too_many' } : { kind: 'lines', lines };
    },
    balances: async () => script.balances,
    close: async () => undefined,
  };
  return { provider, script, submits, inquiries };
}
