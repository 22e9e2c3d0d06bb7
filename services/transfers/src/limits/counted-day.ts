import { type RawBuilder, sql } from 'kysely';

// The process's clock determines the day on which an order counts, and a count never goes back to an earlier day. If
// that clock were days ahead, the user would be held to one day's limit until that day. So no order counts for a day
// later than today by the database's clock.

const NOW = sql`(books_now() at time zone 'Africa/Nairobi')`;

/** The earlier of two dates; null for a row that is not counted, for which `least` would return the other date. */
const earlier = (column: string, today: RawBuilder<unknown>): RawBuilder<string> =>
  sql`case when ${sql.ref(column)} is not null then least(${sql.ref(column)}, ${today}::date) end`;

/** The day in this column, or today if that is earlier. */
export const countedDay = (column: string): RawBuilder<string> => earlier(column, NOW);

/** The first day of a month in this column, or of the present month if that is earlier. */
export const countedMonth = (column: string): RawBuilder<string> => earlier(column, sql`date_trunc('month', ${NOW})`);
