import { DAY_MS, dayOf, dayStart } from '@vuka/contracts/http/days';
import type { VolumeDay } from '@vuka/contracts/http/merchants';
import { TRANSFER_DAYS } from '@vuka/contracts/http/overview';
import { formatMoney } from '@vuka/money';
import type { Direction } from '@vuka/money/corridors';
import { byCurrency, WALLET_CURRENCIES } from '@vuka/money/currencies';
import { corridorOf } from '@vuka/money/directions';
import { firstIdAt } from '@vuka/service-kit/ids';
import { sql } from 'kysely';
import type { Db } from '#db/schema.ts';

interface Sum {
  /** The number of the day, from 1. */
  day: number;
  direction: Direction;
  amount: bigint;
}

/** What a user's settled transfers sent on each of the last thirty East African days. Reads only the history's index. */
export async function sumVolumesOf(db: Db, userId: string, nowMs: number): Promise<VolumeDay[]> {
  const todayMs = Date.parse(dayStart(dayOf(nowMs)));
  const starts = Array.from({ length: TRANSFER_DAYS }, (_, index) => todayMs - (TRANSFER_DAYS - 1 - index) * DAY_MS);
  const firstIds = starts.map((startMs) => firstIdAt(new Date(startMs)));
  const { rows } = await sql<Sum>`
    select width_bucket(id, ${firstIds}::uuid[]) as day, direction, sum(source_amount)::bigint as amount
    from transactions
    where user_id = ${userId} and id >= ${firstIds[0]} and ended_as = 'SETTLED' and direction is not null
    group by 1, 2`.execute(db);
  return starts.map((startMs, index) => ({
    day: dayOf(startMs),
    sent: byCurrency(WALLET_CURRENCIES, (currency) => {
      const sums = rows.filter((row) => row.day === index + 1 && corridorOf(row.direction).source === currency);
      return formatMoney(sums.reduce((total, { amount }) => total + amount, 0n));
    }),
  }));
}
