import type { Booked } from '@vuka/local/testing/booked';
import type { Books } from './check-books.ts';
import type { Decision } from './history.ts';
import { queryIds } from './postgres-node.ts';
import type { Provider } from './provider.ts';
import type { Asked } from './provider-record.ts';

/** What other databases than that of the transfers say of refusals. */
interface Refused {
  /** The transfers whose hold the wallet refused for lack of money. */
  holds: ReadonlySet<string>;
  /** The payouts that failed, by the provider's own books. */
  payouts: ReadonlySet<string>;
}

const REFUSED_HOLDS = `select transfer_id::text as id from journals where kind = 'hold' and rejection = 'insufficient_funds'`;
const FAILED_PAYOUTS = `select id::text as id from payouts where status = 'FAILED'`;

/**
 * Every failed transfer was refused by someone else than the service that let it fail: by the wallet, by the provider,
 * or by an administrator. A proof lifts all limits and blocks no recipient, so nothing else may end a transfer, and its
 * own row, which could give any reason, is not asked: except that one whose row names the block of its sender needs such a
 * block. Returns a line per contradiction.
 */
export async function checkFailures(
  { walletDatabaseUrl, provider }: Books & { provider: Provider },
  rows: readonly Booked[],
  known: Known,
): Promise<string[]> {
  const [holds, payouts] = await Promise.all([
    queryIds(walletDatabaseUrl, REFUSED_HOLDS),
    queryIds(provider.postgres.directUrl, FAILED_PAYOUTS),
  ]);
  return failedUnrefused(rows, { holds: new Set(holds), payouts: new Set(payouts) }, known);
}

interface Known {
  /** Every request that reached the provider, repeats included. */
  asked: readonly Asked[];
  decisions: readonly Decision[];
  /** The merchants whom an administrator has begun to block at some time. */
  blocked: ReadonlySet<string>;
}

export function failedUnrefused(
  rows: readonly Pick<Booked, 'id' | 'user_id' | 'status' | 'error_code'>[],
  { holds, payouts }: Refused,
  { asked, decisions, blocked }: Known,
): string[] {
  const requests = Map.groupBy(asked, ({ transferId }) => transferId);
  const declined = new Set(decisions.filter(mayHaveDeclined).map(({ withdrawalId }) => withdrawalId));
  const isRefusedByProvider = (id: string) =>
    requests.get(id)?.some((request) => request.isRefused || payouts.has(request.id)) ?? false;
  const isRefused = (id: string) => holds.has(id) || declined.has(id) || isRefusedByProvider(id);
  const isJustified = ({ id, user_id: sender, error_code: why }: (typeof rows)[number]) =>
    why === 'sender_blocked' ? blocked.has(sender) : isRefused(id);
  return rows
    .filter((row) => row.status === 'FAILED' && !isJustified(row))
    .map(({ id, error_code: why }) =>
      why === 'sender_blocked'
        ? `${id}: FAILED, but nobody blocked its sender`
        : `${id}: FAILED, but nobody refused it`,
    );
}

/** A decision whose answer was lost may have counted. */
const mayHaveDeclined = ({ kind, status = 200 }: Decision): boolean =>
  (kind === 'refuse' || kind === 'fail') && status === 200;
