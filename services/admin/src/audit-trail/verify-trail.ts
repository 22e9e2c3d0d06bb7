import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { AuditHeadRow, Schema } from '#db/schema.ts';
import type { HeadSigner } from './audit-heads.ts';

/** An entry as its hash covers it: every field as text, in this order. */
interface ChainedEntry {
  id: string;
  position: string;
  previous_hash: Buffer;
  hash: Buffer;
  fields: (string | null)[];
}

export interface TrailCheck {
  entries: number;
  /** Signed heads that were compared. */
  heads: number;
  /** The first thing that does not hold; undefined if the trail is whole. */
  problem: string | undefined;
}

const PAGE = 1_000;

/**
 * Recomputes the chain of the audit trail and compares it with the signed heads. It does not use the database's own
 * functions, which whoever changed the trail may have changed too. Without a signer, heads are compared but their
 * signatures are not.
 */
export async function verifyTrail(db: Kysely<Schema>, signer: HeadSigner | undefined): Promise<TrailCheck> {
  const heads = await db
    .selectFrom('audit_heads')
    .selectAll()
    .select(sql<string>`day::text`.as('day'))
    .orderBy('position')
    .execute();
  const wanted = new Set(heads.map(({ position }) => String(position)));
  const hashes = new Map<string, Buffer>();
  let entries = 0;
  let previous: Buffer = Buffer.alloc(0);
  for (let page = await readEntries(db, 0); page.length > 0; page = await readEntries(db, entries)) {
    for (const entry of page) {
      entries += 1;
      const problem = problemOf(entry, entries, previous);
      if (problem) return { entries, heads: 0, problem };
      previous = entry.hash;
      if (wanted.has(entry.position)) hashes.set(entry.position, entry.hash);
    }
  }
  const problems = heads.map((head) => problemOfHead(head, hashes.get(String(head.position)), signer));
  const first = problems.findIndex((problem) => problem !== undefined);
  return { entries, heads: first < 0 ? heads.length : first, problem: problems[first] };
}

function problemOfHead(head: AuditHeadRow, hash: Buffer | undefined, signer: HeadSigner | undefined) {
  const at = `the head of ${head.day}, entry ${head.position}`;
  if (!hash) return `${at}: the entry is missing, so the end was cut off`;
  if (!hash.equals(head.hash)) return `${at}: the entry has another hash`;
  if (!signer) return undefined;
  const isGenuine = signer.verify(head, { keyId: head.key_id, signature: head.signature });
  // Otherwise a forger of a head would only have to name another key.
  if (isGenuine === undefined) return `${at}: it is signed by the key ${head.key_id}, which VUKA_AUDIT_KEY lacks`;
  return isGenuine ? undefined : `${at}: the signature is wrong`;
}

function problemOf(entry: ChainedEntry, place: number, previous: Buffer): string | undefined {
  const at = `entry ${place} (${entry.id})`;
  if (entry.position !== String(place)) return `${at}: an entry is missing before it`;
  if (!entry.previous_hash.equals(previous)) return `${at}: it does not follow the entry before it`;
  const text = entry.fields.map((field) => (field === null ? '-' : `${[...field].length}:${field}`)).join(',');
  const hash = createHash('sha256').update(previous).update(text).digest();
  return hash.equals(entry.hash) ? undefined : `${at}: it was changed`;
}

async function readEntries(db: Kysely<Schema>, after: number): Promise<ChainedEntry[]> {
  const { rows } = await sql<ChainedEntry>`
    select id::text, position::text, previous_hash, hash, array[
      position::text, id::text, (extract(epoch from at) * 1000000)::bigint::text, actor_user_id::text, actor_id,
      actor_name, address, action, subject_kind, subject_id, subject_label, reason, before::text, after::text,
      request_id] as fields
    from audit_trail where position > ${after} order by audit_trail.position limit ${PAGE}`.execute(db);
  return rows;
}
