import { randomUUID } from 'node:crypto';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import { failureReason } from '#answers/payout.view.ts';
import type { Db } from '#db/schema.ts';
import { COUNTRY_FACTS, predictNetwork } from '#networks/network.domain.ts';

export interface StatementDeps {
  db: Db;
  now: () => Date;
}

interface Statement {
  wallet: { country: string; currency: string };
  from: Date;
  to: Date;
}

const LONGEST_MS = 31 * 24 * 60 * 60_000;
/** The oldest statements are deleted; each is downloaded once. */
const KEPT = 100;
const HEADER = 'Creation Date,MSISDN,Transaction ID,Amount,Currency,Country,MNO,Type';
const Id = z.object({ id: z.string() });
const Body = z.object({
  wallet: z.object({ country: z.string(), currency: z.string() }),
  startDate: z.string(),
  endDate: z.string(),
});

/** Statements of payments; requested with the token and downloaded by anyone with the address. */
export function statementRoutes(
  { authorised, open }: { authorised: HttpApp; open: HttpApp },
  deps: StatementDeps,
): void {
  const statements = new Map<string, Statement>();
  authorised.post('/v2/statements', async (request) => {
    const found = Body.safeParse(request.body);
    const statement = found.success ? readRequest(found.data) : undefined;
    if (!statement) return { status: 'REJECTED', ...failureReason('INVALID_INPUT', 'The statement cannot be made') };
    const statementId = randomUUID();
    statements.set(statementId, statement);
    for (const oldest of [...statements.keys()].slice(0, -KEPT)) statements.delete(oldest);
    return { statementId, status: 'ACCEPTED', created: deps.now().toISOString() };
  });
  authorised.get('/v2/statements/:id', { schema: { params: Id } }, async (request, reply) => {
    const statement = statements.get(request.params.id);
    if (!statement) return reply.code(404).send(failureReason('NOT_FOUND', 'There is no such statement'));
    return {
      statementId: request.params.id,
      status: 'COMPLETED',
      wallet: statement.wallet,
      downloadUrl: `http://${request.host}/statements/${request.params.id}.csv`,
    };
  });
  open.get('/statements/:id.csv', { schema: { params: Id } }, async (request, reply) => {
    const statement = statements.get(request.params.id);
    if (!statement) return reply.code(404).send();
    return reply.type('text/csv; charset=utf-8').send(await writeCsv(deps.db, statement));
  });
}

/** Times without a zone are UTC. Undefined for another currency, an unknown country or more than 31 days. */
function readRequest({ wallet, startDate, endDate }: z.infer<typeof Body>): Statement | undefined {
  const [from, to] = [startDate, endDate].map((text) => new Date(/[zZ]|[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`));
  const country = COUNTRY_FACTS.get(wallet.country);
  if (!from || !to || country?.currency !== wallet.currency) return undefined;
  const length = to.getTime() - from.getTime();
  return length > 0 && length <= LONGEST_MS ? { wallet, from, to } : undefined;
}

async function writeCsv(db: Db, { wallet, from, to }: Statement): Promise<string> {
  const paid = await db
    .selectFrom('ledger')
    .selectAll()
    .where('currency', '=', wallet.currency)
    .where('paid_at', '>=', from)
    .where('paid_at', '<', to)
    .orderBy('seq')
    .execute();
  const rows = paid.map(({ paid_at, msisdn, id, amount, currency }) =>
    [
      paid_at.toISOString(),
      msisdn,
      id,
      amount,
      currency,
      wallet.country,
      predictNetwork(msisdn)?.network ?? '',
      'Payout',
    ].join(','),
  );
  return `${[HEADER, ...rows].join('\n')}\n`;
}
