import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Keyring } from './keyring.ts';
import type { Logger } from './logger.ts';
import { type Part, pollingPart } from './poll.ts';
import { createSealing } from './sealing.ts';

/** A table whose column `sealed` holds personal data of each row, as JSON that is encrypted. */
export interface SealedTable<Row extends { sealed: Buffer | null }, Content> {
  table: string;
  /** The columns that name a row. They are text or uuid. */
  key: readonly (keyof Row & string)[];
  /** What the columns of earlier releases hold in clear text. */
  clear(row: Row): Content;
  /** The assignments that remove the clear text. */
  erase: RawBuilder<unknown>;
  /** Which rows in clear text may be sealed; by default all. */
  isSettled?: RawBuilder<unknown>;
}

export interface SealedRows<Row, Content> {
  table: string;
  /** `row` has at least the columns of the key. */
  seal(row: Partial<Row>, content: Content): Buffer;
  /**
   * The content of a row, sealed or in the clear text of an earlier release. Throws if it was sealed for another row, by
   * a key that is not in the keyring, or was changed.
   */
  open(row: Row): Content;
  /** Seals up to `limit` rows that are in clear text or were sealed by a replaced key. Returns how many. */
  sealSome<Schema>(db: Kysely<Schema>, limit: number): Promise<number>;
}

/** The id of the key that sealed a row; empty for clear text. The expression of the index in `addSealedColumn`. */
const SEALED_BY = sql`coalesce(substring(sealed from 1 for 8), ''::bytea)`;

/** Adds the column, empty in existing rows, and the index that finds the rows to seal. For migrations. */
export async function addSealedColumn(db: Kysely<never>, table: string): Promise<void> {
  await sql`alter table ${sql.table(table)} add column sealed bytea`.execute(db);
  await sql`create index ${sql.id(`${table}_sealed_by`)} on ${sql.table(table)} (${SEALED_BY})`.execute(db);
}

/** Reads and writes the sealed column of a table. Each table has a key of its own, derived from the keyring's. */
export function createSealedRows<Row extends { sealed: Buffer | null }, Content>(
  definition: SealedTable<Row, Content>,
  keyring: Keyring,
): SealedRows<Row, Content> {
  const { table, key, clear, erase, isSettled = sql`true` } = definition;
  const sealing = createSealing(keyring, `personal data of ${table}`);
  const current = Buffer.from(keyring.current.id, 'hex');
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const placeOf = (row: Partial<Row>) => [table, ...key.map((column) => row[column])].join(':');
  const named = (row: Partial<Row>) =>
    sql.join(
      key.map((column) => sql`${sql.ref(column)} = ${row[column]}`),
      sql` and `,
    );

  const seal = (row: Partial<Row>, content: Content) =>
    sealing.seal(Buffer.from(JSON.stringify(content)), placeOf(row));
  const open = (row: Row): Content =>
    row.sealed ? JSON.parse(sealing.open(row.sealed, placeOf(row)).toString()) : clear(row);

  return {
    table,
    seal,
    open,
    async sealSome(db, limit) {
      const side = (comparison: RawBuilder<unknown>) => sql`
        (select ${columns} from ${sql.table(table)}
        where ${SEALED_BY} ${comparison} ${current} and (sealed is not null or ${isSettled}) limit ${limit})`;
      // Two ranges of the index: `<>` would read every row.
      const found = await sql<Partial<Row>>`
        ${side(sql`<`)} union all ${side(sql`>`)} limit ${limit}`.execute(db);
      if (found.rows.length === 0) return 0;
      return db.transaction().execute(async (trx) => {
        let sealed = 0;
        for (const name of found.rows) {
          // Another process may be sealing, sending or deleting it.
          const { rows } = await sql<Row>`
            select * from ${sql.table(table)} where ${named(name)} and (sealed is not null or ${isSettled})
            for update skip locked`.execute(trx);
          const [row] = rows;
          if (!row || (row.sealed && sealing.isCurrent(row.sealed))) continue;
          await sql`
            update ${sql.table(table)} set sealed = ${seal(row, open(row))}, ${erase} where ${named(row)}`.execute(trx);
          sealed += 1;
        }
        return sealed;
      });
    },
  };
}

const SEAL_EVERY_MS = 2_000;
const SEAL_BATCH = 500;

/**
 * Encrypts what earlier releases wrote in clear text, and what a replaced key encrypted, while the service runs. The
 * table itself records the progress, so it resumes after a restart, and several processes share the work.
 */
export function sealingPart<Schema>(
  { db, logger }: { db: Kysely<Schema>; logger: Logger },
  tables: readonly Pick<SealedRows<never, never>, 'table' | 'sealSome'>[],
): Part {
  const rowsOf = new Map<string, number>();
  return pollingPart({
    name: 'encryption of personal data',
    everyMs: SEAL_EVERY_MS,
    logger,
    async run() {
      for (const { table, sealSome } of tables) {
        const sealed = await sealSome(db, SEAL_BATCH);
        if (sealed === 0) continue;
        const rows = (rowsOf.get(table) ?? 0) + sealed;
        rowsOf.set(table, rows);
        logger.info({ table, rows, isDone: sealed < SEAL_BATCH }, 'rows were encrypted');
      }
    },
  });
}
