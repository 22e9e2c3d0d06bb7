import type { Administrator } from './administrators.ts';
import { type Broken, breakThings } from './break-things.ts';
import { type Evidence, type Struck, writeBundle } from './bundle.ts';
import { orderInCalm } from './calm.ts';
import { countStrictlyPriced } from './check-prices.ts';
import { checkNews, gatherFollowers, keepFollowing } from './followers.ts';
import { createHistory, type Decision, type History, isAcknowledged, isRefused, isUnknown } from './history.ts';
import { type Installation, withInstallation } from './installation.ts';
import { gatherCast, keepBusy, keepServing } from './load.ts';
import { type Merchant, signInRecipients } from './merchants.ts';
import { planFaults } from './plan-faults.ts';
import { readPrices } from './pricing-changes.ts';
import { readPutAside } from './queues.ts';
import { createRandom } from './random.ts';
import { sendUntilClear } from './sending.ts';
import { untilEnded } from './until-ended.ts';
import { type Proof, type Verdict, verify } from './verify.ts';
import { readApprovalLimits } from './withdrawal-decisions.ts';

export interface ProofOptions {
  seed: number;
  /** How long merchants send and faults occur, ms. */
  lengthMs: number;
  merchants: number;
  /** Mean pause of a merchant between two orders, ms. */
  pauseMs: number;
  /** Messages travel on the embedded bus, in Postgres, instead of RabbitMQ. */
  isEmbedded?: boolean;
  /** Processes of each service; one by default. */
  replicas?: number;
  /** Postgres has a synchronous standby, and RabbitMQ three nodes. */
  isCluster?: boolean;
  /** A commit. Every process starts from it, is upgraded to this checkout, rolled back and upgraded again. */
  upgradeFrom?: string | undefined;
  /** Only faults whose kind contains one of these words; all if empty. */
  only?: readonly string[];
  /** How many times as often as usual faults come. */
  often?: number;
  /** Where a failed run leaves its evidence; nowhere if undefined. */
  bundleDir?: string;
  /** Called with progress messages. */
  say(line: string): void;
}

export interface ProofResult extends Verdict {
  seed: number;
  requests: number;
  reads: number;
  /** How often rare things happened, which some checks depend on. */
  exercised: Record<string, number>;
  orders: number;
  acknowledged: number;
  /** Orders that got no clear answer before they were repeated after the faults. */
  unknown: number;
  resolved: number;
  answers: Record<string, number>;
  faults: Broken['faults'];
  /** For each fault that made services unavailable, the time until all answered again. */
  recoveries: Broken['recoveries'];
  /** From the last fault until every transfer had ended, ms; null if that took too long. */
  settledAfterMs: number | null;
  /** The shortest story of something that broke, if the run failed and left a bundle. */
  story: string[];
}

/** A proof that lasts this long and leaves no fault out exercises everything that it checks, ms. */
const WHOLE_MS = 10 * 60_000;
/** Orders that must be accepted per second, faults included. */
const LEAST_PER_SECOND = 1;

/** Puts load on the whole product, injects faults, then verifies all records against each other. */
export async function runProof(options: ProofOptions): Promise<ProofResult> {
  const { isEmbedded = false, replicas = 1, isCluster = false, lengthMs, upgradeFrom } = options;
  const times = replicas === 1 ? '' : `, ${replicas} processes of each service`;
  const servers = isCluster ? 'a pair of Postgres servers, another one' : 'two Postgres servers';
  const broker = isCluster ? ', three nodes of RabbitMQ' : ', a RabbitMQ';
  options.say(`Starting ${servers}${isEmbedded ? '' : broker} and the product${times} ...`);
  return withInstallation({ isEmbedded, replicas, isCluster, lengthMs, upgradeFrom }, (installation) =>
    prove(options, installation),
  );
}

async function prove(options: ProofOptions, installation: Installation): Promise<ProofResult> {
  const { fleet, broker, patienceMs, transfersDatabaseUrl, walletDatabaseUrl, postgres, provider } = installation;
  const random = createRandom(options.seed);
  const cast = await gatherCast(fleet.address, random, options.merchants);
  const { admin, merchants } = cast;
  const approvalLimits = await readApprovalLimits(admin.client);
  const history = createHistory(await readPrices(admin.client), { approvalLimits, patienceMs });
  const plan = planFaults(installation, options, random);
  options.say(
    `${merchants.length} merchants send orders while ${plan.length} faults are injected (seed ${options.seed}) ...`,
  );

  const followers = await gatherFollowers(fleet.address, cast);
  const [stopping, ended] = [new AbortController(), new AbortController()];
  const { pauseMs } = options;
  const sending = keepBusy(cast, history, { random, transfersDatabaseUrl, pauseMs, signal: stopping.signal });
  const serving = Promise.all([
    keepServing(cast, history, { random, providerUrl: provider.postgres.directUrl, signal: ended.signal }),
    keepFollowing(followers, { random, signal: ended.signal }),
  ]);
  const broke = await breakThings(installation, plan, options, history);
  const settling = performance.now();
  const duringFaults = acknowledgedIn(history);
  const calmFromMs = Date.now();
  stopping.abort();
  await sending;
  const unknown = await resolveUnknown(history, merchants);
  options.say('Waiting for every transfer to end ...');
  const settledAfterMs = await untilEnded(transfersDatabaseUrl)
    .then(() => Math.round(performance.now() - settling))
    .catch(() => null);
  await endScenarios(provider.port);
  if (settledAfterMs !== null) await orderInCalm(cast, history, transfersDatabaseUrl);
  const promotions = postgres.pair?.promotions ?? [];
  const news = { databaseUrl: transfersDatabaseUrl, promotions };
  history.surprises.push(...(await checkNews(followers, history, news)));
  ended.abort();
  await serving;
  const verdict = await judge(history, {
    transfersDatabaseUrl,
    walletDatabaseUrl,
    serverUrl: postgres.directUrl,
    databasePrefix: fleet.databasePrefix,
    dataDir: fleet.dataDir,
    broker: addressesOf(broker),
    provider,
    ...cast,
    struck: broke.struck,
    promotions,
  });
  const summary = summaryOf(options, history);
  const least = Math.round((options.lengthMs / 1_000) * LEAST_PER_SECOND);
  // Otherwise a product that refuses every order would pass.
  if (duringFaults < least)
    verdict.violations.push(`${duringFaults} orders were accepted, fewer than ${least}: it did not stay alive`);
  const exercised = exercisedIn(history, verdict, { struck: broke.struck, calmFromMs });
  if (options.lengthMs >= WHOLE_MS && !options.only?.length) verdict.violations.push(...neverExercised(exercised));
  const { faults, recoveries } = broke;
  const result = { ...verdict, faults, recoveries, ...summary, exercised, ...unknown, settledAfterMs, story: [] };
  if (options.bundleDir === undefined || isProved(result)) return result;
  options.say(`The run failed. Writing its evidence to ${options.bundleDir} ...`);
  const evidence = await gatherEvidence(installation, { history, struck: broke.struck, admin });
  return { ...result, story: await writeBundle(options.bundleDir, evidence, findingsOf(result)) };
}

/** A product that hangs after the faults fails the proof too, with its evidence. */
async function judge(history: History, proof: Proof): Promise<Verdict> {
  try {
    await signInRecipients(proof.recipients);
    return await verify(history, proof);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const violations = [...history.surprises, `no verdict: ${reason}`];
    return { transfers: 0, settled: 0, failed: 0, lost: [], doubled: [], violations, differentCallbacks: 0 };
  }
}

/** Scenarios wait for payouts to strike, so some outlive the faults. */
async function endScenarios(simulatorPort: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${simulatorPort}/sim/scenarios`, { method: 'DELETE' });
  if (!response.ok) throw new Error(`the simulator keeps its scenarios: ${response.status}`);
}

async function gatherEvidence(
  { fleet, postgres, provider, broker }: Installation,
  { history, struck, admin }: { history: History; struck: readonly Struck[]; admin: Administrator },
): Promise<Evidence> {
  return {
    history,
    struck,
    recordFile: provider.recordFile,
    putAside: await readPutAside(addressesOf(broker), admin.client),
    dataDir: fleet.dataDir,
    serverUrl: postgres.directUrl,
    databasePrefix: fleet.databasePrefix,
  };
}

function addressesOf(broker: Installation['broker']) {
  return broker && { amqpUrl: broker.directUrl, managementUrl: broker.managementUrl };
}

const findingsOf = ({ lost, doubled, violations }: Verdict) => [...lost, ...doubled, ...violations];

/** Whether nothing was lost, doubled or otherwise wrong, and everything ended in time. */
export function isProved(result: Verdict & Pick<ProofResult, 'settledAfterMs'>): boolean {
  return findingsOf(result).length === 0 && result.settledAfterMs !== null;
}

function summaryOf({ seed }: ProofOptions, history: History) {
  const { orders, requests, reads, answers } = history;
  const acknowledged = acknowledgedIn(history);
  return { seed, requests, reads, orders: orders.length, acknowledged, answers: Object.fromEntries(answers) };
}

const acknowledgedIn = ({ orders }: History): number => orders.filter(isAcknowledged).length;

/** A check finds nothing wrong with what never happened, so the proof counts what it depends on. */
function exercisedIn(
  history: History,
  { differentCallbacks }: Verdict,
  { struck, calmFromMs }: { struck: readonly Struck[]; calmFromMs: number },
) {
  const { answeredReads, bankPayments, decisions, decidedExceptions, reconciliations, orders } = history;
  const payers = new Map(bankPayments.map(({ withdrawalId, by }) => [withdrawalId, by]));
  const isOfAnother = ({ kind, withdrawalId, by, status }: Decision) =>
    kind === 'complete' && status === 200 && payers.has(withdrawalId) && payers.get(withdrawalId) !== by;
  return {
    'answered reads': answeredReads,
    'payments at the bank': bankPayments.length,
    'payments at the bank that the other administrator recorded': decisions.filter(isOfAnother).length,
    'decisions on exceptions': decidedExceptions,
    reconciliations,
    'orders whose price was known almost exactly': countStrictlyPriced(
      { ...history, orders: orders.filter(({ sentMs }) => sentMs < calmFromMs) },
      struck,
    ),
    'orders by a quote': orders.filter((order) => order.quote && isAcknowledged(order)).length,
    'orders refused for their price': orders.filter(({ isRepriced }) => isRepriced).length,
    'orders refused for lack of money': orders.filter(isRefused).length,
    'callbacks with other figures than the order': differentCallbacks,
  };
}

const neverExercised = (exercised: Record<string, number>): string[] =>
  Object.entries(exercised)
    .filter(([, times]) => times === 0)
    .map(([what]) => `the proof had no ${what}`);

/** Repeats the unanswered orders of each merchant in sequence, under the same ids. Each must now get a clear answer. */
async function resolveUnknown(history: History, merchants: readonly Merchant[]) {
  const unknown = history.orders.filter(isUnknown);
  await Promise.all(
    merchants.map(async (merchant) => {
      const own = unknown.filter(({ userId }) => userId === merchant.userId);
      for (const order of own) await sendUntilClear(merchant, history, order);
    }),
  );
  return { unknown: unknown.length, resolved: unknown.filter((order) => !isUnknown(order)).length };
}
