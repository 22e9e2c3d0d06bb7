import { type Fleet, startFleet } from '@vuka/local/testing/fleet';
import { openOuterDoor } from '@vuka/local/testing/front-door';
import type { Books } from './check-books.ts';
import { databaseUrl } from './database-url.ts';
import { createLinks, type Links } from './links.ts';
import { patienceFor } from './patience.ts';
import { type Provider, startProvider } from './provider.ts';
import { checkOutBefore, type ReleaseBefore } from './release-before.ts';
import { type BreakableBroker, type BreakablePostgres, startBroker, startPostgres } from './servers.ts';
import { createSettableClocks, type SettableClocks } from './settable-clocks.ts';

/** Everything that a proof runs and breaks. */
export interface Installation extends Books {
  fleet: Fleet;
  /** The proxies between services and their neighbours. */
  links: Links;
  /** Outside the product, with its own Postgres. */
  provider: Provider;
  postgres: BreakablePostgres;
  /** Undefined on the embedded bus, which has no broker to break. */
  broker: BreakableBroker | undefined;
  /** Undefined where clocks cannot be set; the plan then has no clock faults. */
  clocks: SettableClocks | undefined;
  /** The release with which every process began; undefined if that is this one. */
  before: ReleaseBefore | undefined;
  /** How long a fault may take to heal, while faults of other families go on, ms. */
  patienceMs: number;
}

/**
 * Injects a fault; returns the time until everything affected answered again, or null if it affected no service of
 * ours.
 */
export type Inject = (installation: Installation, draw: number) => Promise<number | null>;

export interface InstallationOptions {
  /** Messages travel on the embedded bus, in Postgres, instead of RabbitMQ. */
  isEmbedded: boolean;
  /** Processes of each service. */
  replicas: number;
  /** Postgres has a standby, and RabbitMQ three nodes. */
  isCluster?: boolean;
  /** The length of the proof, ms. */
  lengthMs: number;
  /** The commit of the release with which every process begins; this checkout by default. */
  upgradeFrom?: string | undefined;
}

/** Starts everything, calls `use`, and stops everything even if `use` throws. */
export async function withInstallation<Result>(
  { isEmbedded, replicas, isCluster = false, lengthMs, upgradeFrom }: InstallationOptions,
  use: (installation: Installation) => Promise<Result>,
): Promise<Result> {
  const stops: (() => Promise<unknown>)[] = [];
  const kept = async <Part>(starting: Promise<Part>, stop: (part: Part) => Promise<unknown>): Promise<Part> => {
    const part = await starting;
    stops.push(() => stop(part));
    return part;
  };
  try {
    // Opened first, so that no other process takes its port while the servers start.
    const door = await openOuterDoor();
    stops.push(async () => door.close());
    const links = createLinks();
    stops.push(links.close);
    // Settled, so that none starts unnoticed after another one failed.
    const [postgres, broker, clocks, provider, before] = await allOrNone([
      kept(startPostgres(isCluster ? { hasStandby: true } : { onFaultyDisk: true }), (server) => server.stop()),
      isEmbedded ? undefined : kept(startBroker({ hasPeers: isCluster }), (node) => node.stop()),
      kept(createSettableClocks(), async (settable) => settable?.remove()),
      kept(startProvider(door.port), (started) => started.stop()),
      upgradeFrom === undefined ? undefined : kept(checkOutBefore(upgradeFrom), (release) => release.remove()),
    ]);
    const env = {
      ...provider.settings,
      VUKA_PAYOUT_CHECK_SECONDS: '1',
      VUKA_PAYOUT_GRACE_SECONDS: '3',
      VUKA_RATE_LIMIT_FACTOR: '10000',
    };
    const servers = { databaseUrl: postgres.url, amqpUrl: broker?.url ?? '' };
    const patienceMs = patienceFor(lengthMs);
    const fleet = await kept(
      startFleet(servers, {
        env,
        envOf: clocks?.envOf,
        replicas,
        isKept: true,
        readyWithinMs: patienceMs,
        link: links.open,
        door,
        ...(before && { root: before.root }),
      }),
      (started) => started.stop(),
    );
    const databaseOf = (service: string) => databaseUrl(postgres.directUrl, fleet.databasePrefix, service);
    const books = { transfersDatabaseUrl: databaseOf('transfers'), walletDatabaseUrl: databaseOf('wallet') };
    return await use({ fleet, links, provider, postgres, broker, ...books, clocks, before, patienceMs });
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

async function allOrNone<const Parts extends readonly unknown[]>(
  starting: Parts,
): Promise<{ -readonly [Index in keyof Parts]: Awaited<Parts[Index]> }> {
  await Promise.allSettled(starting);
  return Promise.all(starting) as Promise<{ -readonly [Index in keyof Parts]: Awaited<Parts[Index]> }>;
}
