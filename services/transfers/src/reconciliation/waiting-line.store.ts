import { sql } from 'kysely';
import type { Db } from '#db/schema.ts';
import type { StatementLine } from '#payouts/payout-provider.ts';

/** Longer than a payout can stay open: no later day asks for its payment. */
const KEPT_DAYS = 60;

/** The payments that were on a statement while their payouts were open, and have not been compared since. */
export async function findWaitingLines(db: Db): Promise<StatementLine[]> {
  const rows = await db
    .selectFrom('waiting_statement_lines')
    .selectAll()
    .where('compared_at', 'is', null)
    .orderBy('payout_id')
    .execute();
  return rows.map((row) => ({
    clientPayoutId: row.payout_id,
    amountMinor: row.amount_minor,
    currency: row.currency,
    msisdn: row.msisdn,
    recordedAt: row.recorded_at,
  }));
}

/** Stores new waiting payments, and notes which of the former ones were compared. */
export async function updateWaitingLines(
  db: Db,
  { added, compared, at }: { added: readonly StatementLine[]; compared: readonly StatementLine[]; at: Date },
): Promise<void> {
  if (added.length > 0) {
    const rows = added.map((line) => ({
      payout_id: line.clientPayoutId,
      amount_minor: String(line.amountMinor),
      currency: line.currency,
      msisdn: line.msisdn,
      recorded_at: line.recordedAt,
    }));
    // One parameter, however many rows there are.
    await sql`
      insert into waiting_statement_lines (payout_id, amount_minor, currency, msisdn, recorded_at)
      select payout_id, amount_minor, currency, msisdn, recorded_at
      from json_populate_recordset(null::waiting_statement_lines, ${JSON.stringify(rows)})
      on conflict (payout_id) do nothing`.execute(db);
  }
  await db
    .updateTable('waiting_statement_lines')
    .set({ compared_at: at })
    .where('payout_id', '=', sql<string>`any(${compared.map((line) => line.clientPayoutId)}::uuid[])`)
    .execute();
  await db
    .deleteFrom('waiting_statement_lines')
    .where('compared_at', '<', new Date(at.getTime() - KEPT_DAYS * 24 * 3_600_000))
    .execute();
}
