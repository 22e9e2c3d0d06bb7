import type { Labelled } from '@vuka/service-kit/metrics';
import { sql } from 'kysely';
import type { Db } from '#db/schema.ts';
import { WAITING_FOR_PERSON } from '#saga/transfer.domain.ts';

/**
 * For how long the oldest withdrawal has waited for an administrator at each step, seconds, by the database's clock; 0 if none
 * does. NaN while the database is unavailable. The sweep looks at no such withdrawal, so nothing else tells that one was forgotten.
 */
export async function readLongestWaits(db: Db): Promise<Labelled[]> {
  const waits = await findLongestWaits(db).catch(() => undefined);
  return WAITING_FOR_PERSON.map((step) => ({ labels: { step }, value: waits ? (waits.get(step) ?? 0) : Number.NaN }));
}

/** Reads only the index of open transfers. What is paid by hand waits since its approval. */
async function findLongestWaits(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ step: string; seconds: number }>`
    select step, extract(epoch from books_now() - min(coalesce(resumed_at, created_at)))::float8 as seconds
    from transactions where is_open and step in (${sql.join(WAITING_FOR_PERSON)}) group by step`.execute(db);
  return new Map(rows.map(({ step, seconds }) => [step, seconds]));
}
