import { type RawBuilder, sql } from 'kysely';

// The process's clock says on which day an order counts, and a count never goes back to an earlier day. If that clock is
// days ahead, the user would be held to one day's limit until then: no count is later than the day of the database.

const NOW = sql`(books_now() at time zone 'Africa/Nairobi')`;

/** The earlier of two dates; null for what is not counted, which `least` alone would leave out. */
const earlier = (column: string, today: RawBuilder<unknown>): RawBuilder<string> =>
  sql`case when ${sql.ref(column)} is not null then least(${sql.ref(column)}, ${today}::date) end`;

/** The day in this column, or today if that is earlier. */
export const countedDay = (column: string): RawBuilder<string> => earlier(column, NOW);

/** The first day of a month in this column, or of the present month if that is earlier. */
export const countedMonth = (column: string): RawBuilder<string> => earlier(column, sql`date_trunc('month', ${NOW})`);
