import { execFile } from 'node:child_process';
import { chown, copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTcpProxy, type TcpProxy } from '@vuka/test-kit/tcp-proxy';
import { until } from '@vuka/test-kit/until';
import { copyRunning } from './base-backup.ts';
import { type PostgresNode, preparePostgresNode, query } from './postgres-node.ts';

/** A primary and a synchronous standby, which receives every commit before it is acknowledged. */
export interface PostgresPair {
  primary(): PostgresNode;
  standby(): PostgresNode;
  /** The standby's connections to the primary. */
  replication: TcpProxy;
  /** Each promotion's moment, ms. */
  promotions: readonly number[];
  /** Kills the primary and promotes the standby, after which the primary has none. */
  failOver(): Promise<void>;
  /** Shuts the primary down once the standby has everything; then the two swap roles. */
  switchOver(): Promise<void>;
  /** Makes the server that is not primary a standby again, from a copy of the primary. */
  rebuildStandby(): Promise<void>;
  /** Whether commits wait for the standby. */
  setSynchronous(isSynchronous: boolean): Promise<void>;
  /** Resolves when the standby has every commit from before the call; rebuilds the standby if that fails. */
  untilSynchronous(): Promise<void>;
  remove(): Promise<void>;
}

const STANDBY = 'standby';
/** Settings of a pair, besides those of a single server. */
const SETTINGS = {
  wal_level: 'replica',
  max_wal_senders: '4',
  // Keeps the WAL that a stopped standby misses.
  wal_keep_size: '1GB',
  // How soon a standby looks for its primary again.
  wal_retrieve_retry_interval: '200ms',
};
const FOLLOWS_MS = 20_000;
const REBUILT_MS = 60_000;

export async function startPostgresPair(): Promise<PostgresPair> {
  const nodes = await Promise.all([preparePostgresNode(), preparePostgresNode()]);
  let [primary, standby] = nodes;
  const promotions: number[] = [];
  await primary.start(SETTINGS);
  const replication = await createTcpProxy(() => ({ host: '127.0.0.1', port: primary.port() }));
  const standbySettings = () => ({ ...SETTINGS, primary_conninfo: conninfo(primary.url(), replication.port) });
  async function promote(): Promise<void> {
    await query(standby.url(), 'select pg_promote(true, 60)');
    [primary, standby] = [standby, primary];
    promotions.push(Date.now());
  }
  const pair: PostgresPair = {
    primary: () => primary,
    standby: () => standby,
    replication,
    promotions,
    async failOver() {
      await primary.kill();
      await promote();
    },
    async switchOver() {
      await primary.shutDown();
      await promote();
      // The old primary has nothing that the new one lacks, so it can follow it without a rebuild.
      await writeFile(join(standby.cluster, 'postgresql.auto.conf'), '');
      await writeFile(join(standby.cluster, 'standby.signal'), '');
      await standby.start(standbySettings());
      await pair.setSynchronous(true);
    },
    async rebuildStandby() {
      await standby.kill();
      // Thousands of files.
      await promisify(execFile)('rm', ['-rf', standby.cluster]);
      await copyRunning(primary.url(), primary.cluster, { cluster: standby.cluster, ...standby.place });
      await sharePassword(primary, standby);
      await standby.start(standbySettings());
      await pair.setSynchronous(true);
      await untilFollowing(primary, REBUILT_MS);
    },
    async setSynchronous(isSynchronous) {
      const names = isSynchronous ? `'ANY 1 (${STANDBY})'` : `''`;
      await query(primary.url(), `alter system set synchronous_standby_names = ${names}`);
      await query(primary.url(), 'select pg_reload_conf()');
    },
    untilSynchronous: () => untilFollowing(primary, FOLLOWS_MS).catch(() => pair.rebuildStandby()),
    async remove() {
      await replication.close();
      for (const node of [standby, primary]) await node.remove();
    },
  };
  await pair.rebuildStandby().catch(async (error: unknown) => {
    await pair.remove();
    throw error;
  });
  return pair;
}

const conninfo = (primaryUrl: string, port: number) =>
  `host=127.0.0.1 port=${port} user=postgres password=${new URL(primaryUrl).password} application_name=${STANDBY}`;

/** The copied cluster has the primary's accounts, so it needs the primary's password. */
async function sharePassword(from: PostgresNode, to: PostgresNode): Promise<void> {
  const file = join(to.place.base, 'password');
  await copyFile(join(from.place.base, 'password'), file);
  if (to.place.user) await chown(file, to.place.user.uid, to.place.user.gid);
}

/** Resolves when commits wait for the standby and it has everything committed before the call. */
async function untilFollowing(primary: PostgresNode, timeoutMs: number): Promise<void> {
  const isFollowing = async () => {
    const [row] = await query<{ follows: boolean }>(
      primary.url(),
      `select current_setting('synchronous_standby_names') <> '' and exists (
        select from pg_stat_replication where sync_state in ('sync', 'quorum') and flush_lsn >= $1) as follows`,
      [at],
    );
    return row?.follows;
  };
  const [now] = await query<{ at: string }>(primary.url(), 'select pg_current_wal_flush_lsn() as at');
  const at = now?.at;
  await until(isFollowing, { timeoutMs, everyMs: 100, what: 'the standby to follow its primary' });
}
