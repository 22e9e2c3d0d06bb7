import { order, PIN, registerMerchant, signInAdmin } from '@vuka/local/testing/api-client';
import { until } from '@vuka/test-kit/until';
import { type Books, checkBooks } from './check-books.ts';
import { inject } from './faults.ts';
import { type Installation, withInstallation } from './installation.ts';
import { query } from './postgres-node.ts';
import type { PostgresPair } from './postgres-pair.ts';
import { readProviderRecord } from './provider-record.ts';
import { readOrders, readUnknownPayments, settleLost } from './settle-lost.ts';
import { keepOrdering, keyOf, type Sent, type SteadyOrders, sendSteadily } from './steady-orders.ts';

export interface LostCommits {
  acknowledged: number;
  /** Sent before the promotion, acknowledged after the standby's last commit, and missing from its books. */
  inWindow: number;
  /** Of these, repeated by their sender. */
  repeated: number;
  /** Of the others, those whose payment the runbook's settle step named. */
  named: number;
  /** Of the missing orders, those acknowledged after the promotion, by processes that had committed them before it. */
  answeredLate: number;
  /** Holds that were made after the promotion for orders that it lost. */
  heldTooLate: number;
  lost: string[];
  doubled: string[];
  violations: string[];
}

const SENDERS = 4;
const FUNDS = { [order().sourceCurrency]: 100_000 };
const ENDED_MS = 180_000;
/** Half of the lost orders are repeated, as if their clients never got an answer. */
const isRepeated = ({ number }: Sent) => number % 2 === 0;

/** What is known at the promotion. */
interface Loss {
  /** The standby has every commit up to this moment, and none after it. */
  replayed: Date;
  promotedMs: number;
}

/**
 * An asynchronous standby takes over without the last commits, while clients send orders and repeat lost ones. Nothing
 * may be paid twice, only orders of that window may be missing, and the runbook's settle step must name each payment
 * that the books lack.
 */
export function proveLostCommits(say: (line: string) => void): Promise<LostCommits> {
  return withInstallation({ isEmbedded: false, replicas: 1, isCluster: true, lengthMs: 0 }, async (installation) => {
    const { fleet, transfersDatabaseUrl: books } = installation;
    const admin = await signInAdmin(fleet.address);
    const senders = [];
    while (senders.length < SENDERS) senders.push(await registerMerchant(fleet.address, admin, FUNDS));
    const load = keepOrdering(senders.map(({ client }) => client));
    say('The standby is asynchronous, and separated ...');
    const loss = await loseCommits(installation, load);
    // An order that was committed on the old primary may be answered only now.
    await load.untilAnswered();
    const acknowledged = load.accepted();
    const promoted = await readOrders(books);
    const missing = acknowledged.filter((sent) => !promoted.has(keyOf(sent)));
    say(`It was promoted without ${missing.length} acknowledged orders. Their senders repeat half of them ...`);
    // Before the operator stops the product, only the epoch of the books shows that these may have been paid.
    await Promise.all(missing.filter(isRepeated).map(sendSteadily));
    await load.stop();
    await fleet.endAll();
    const settled = await settleLost(installation, loss.replayed);
    await fleet.startAll();
    for (const { client, user } of senders) await client.post('/api/login', { username: user.email, pin: PIN });
    say('Waiting for every transfer to end ...');
    await until(() => isOver(installation), {
      timeoutMs: ENDED_MS,
      everyMs: 200,
      what: 'every transfer and hold to end',
    });
    const found = await judge(installation, { loss, missing, load });
    if (!settled.includes('The books hold')) found.violations.push('the audit of the promoted books found violations');
    return found;
  });
}

async function loseCommits(installation: Installation, load: SteadyOrders): Promise<Loss> {
  const { provider, postgres } = installation;
  const pair = postgres.pair as PostgresPair;
  await pair.setSynchronous(false);
  await load.untilMore(10);
  await letProvider(installation, 'timeout, paid');
  pair.replication.cut();
  // The payout is paid with an unclear answer, and the network is closed to its next request.
  await letProvider(installation, 'closed between two requests');
  const before = (await readProviderRecord(provider.recordFile)).payments.length;
  await load.untilMore(20);
  const isPaid = async () => (await readProviderRecord(provider.recordFile)).payments.length > before + SENDERS;
  await until(isPaid, { timeoutMs: ENDED_MS, everyMs: 200, what: 'payments that will be lost' });
  const [row] = await query<{ at: Date }>(pair.standby().url(), 'select pg_last_xact_replay_timestamp() as at');
  await pair.failOver();
  pair.replication.restore();
  return { replayed: row?.at as Date, promotedMs: pair.promotions.at(-1) ?? 0 };
}

/** Whether no transfer is in progress and no hold is open, not even that of a lost transfer. */
async function isOver({ transfersDatabaseUrl, walletDatabaseUrl }: Books): Promise<boolean> {
  const orders = [...(await readOrders(transfersDatabaseUrl)).values()];
  const [open] = await query(walletDatabaseUrl, `select from holds where state = 'open' limit 1`);
  return open === undefined && orders.every(({ status }) => status === 'SETTLED' || status === 'FAILED');
}

async function readHeld(walletDatabaseUrl: string): Promise<string[]> {
  const rows = await query<{ id: string }>(walletDatabaseUrl, 'select transfer_id as id from holds');
  return rows.map(({ id }) => id);
}

const letProvider = (installation: Installation, what: string) =>
  inject(installation, { atMs: 0, lane: 0, kind: `provider: ${what}`, draw: 0.9 });

async function judge(
  installation: Installation,
  { loss, missing, load }: { loss: Loss; missing: Sent[]; load: SteadyOrders },
): Promise<LostCommits> {
  const { fleet, provider, transfersDatabaseUrl } = installation;
  const accepted = load.accepted();
  const books = await readOrders(transfersDatabaseUrl);
  const { payments } = await readProviderRecord(provider.recordFile);
  const paid = Map.groupBy(payments, ({ msisdn }) => `+${msisdn}`);
  const timesOf = (phone: string | null) => paid.get(phone ?? '')?.length ?? 0;
  const unknown = missing.filter((sent) => !isRepeated(sent) && timesOf(sent.phone) > 0);
  const named = new Set(await readUnknownPayments(await signInAdmin(fleet.address)));
  const isNamed = ({ phone }: Sent) => paid.get(phone)?.every(({ id }) => named.has(id));
  const isMissing = new Set(missing.filter((sent) => !isRepeated(sent)).map(keyOf));
  const rows = [...books.values()];
  const ids = new Set(rows.map(({ id }) => id));
  return {
    acknowledged: accepted.length,
    inWindow: missing.length,
    answeredLate: missing.filter(({ accepted: answer }) => answer && answer.answeredMs > loss.promotedMs).length,
    repeated: missing.filter(isRepeated).length,
    named: unknown.filter(isNamed).length,
    heldTooLate: (await readHeld(installation.walletDatabaseUrl)).filter((id) => !ids.has(id)).length,
    lost: [
      ...missing.filter((sent) => !isInWindow(sent, loss)).map((sent) => `${keyOf(sent)}: ${OUTSIDE}`),
      ...accepted
        .filter((sent) => !books.has(keyOf(sent)) && !isMissing.has(keyOf(sent)))
        .map((sent) => `${keyOf(sent)}: acknowledged, but not in the books`),
      ...rows
        .filter(({ status, recipient_phone: phone }) => status === 'SETTLED' && timesOf(phone) === 0)
        .map(({ id }) => `${id}: settled, but not paid`),
    ],
    doubled: [
      ...[...paid]
        .filter(([, times]) => times.length > 1)
        .map(([phone, { length }]) => `${phone}: paid ${length} times`),
      ...rows
        .filter(({ status, recipient_phone: phone }) => status === 'FAILED' && timesOf(phone) > 0)
        .map(({ id }) => `${id}: paid and returned`),
    ],
    violations: [
      ...unknown.filter((sent) => !isNamed(sent)).map((sent) => `${keyOf(sent)}: paid, neither in the books nor named`),
      ...(await checkEpoch(transfersDatabaseUrl, loss)),
      ...(await checkBooks(installation, { haveLostCommits: true })),
      ...(missing.length === 0 ? ['no acknowledged order was lost: the run shows nothing'] : []),
    ],
  };
}

const OUTSIDE = 'acknowledged when the standby had every commit, but not in its books';
/** Commits this close to the replayed timestamp may or may not be on the standby. */
const SAME_MOMENT_MS = 50;

/** Whether the order may be missing: a request sent after the promotion reached only the promoted server. */
function isInWindow({ accepted }: Sent, { replayed, promotedMs }: Loss): boolean {
  if (!accepted) return false;
  return accepted.answeredMs > replayed.getTime() - SAME_MOMENT_MS && accepted.sentMs < promotedMs;
}

async function checkEpoch(url: string, { promotedMs }: Loss): Promise<string[]> {
  const [epoch] = await query<{ begun: Date }>(url, 'select begun_at as begun from books_epoch');
  const hasBegun = epoch !== undefined && epoch.begun.getTime() > promotedMs - 1_000;
  return hasBegun ? [] : ['the books do not say that they are in another place'];
}
