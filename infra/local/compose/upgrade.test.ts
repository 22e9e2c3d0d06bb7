import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { type Containers, createContainers, type Release, THIS_RELEASE } from '#containers.ts';
import { ROOT } from '#start-settings.ts';
import { type Merchant, setUp, untilReady } from './merchant.ts';

const run = promisify(execFile);
/** The previous release, 0.1: the commit from which docs/runbooks/deploy-and-upgrade.md measured an upgrade. */
const BEFORE = '0b109e02';
const LONGEST_MS = 600_000;
/** The pause between orders, which keeps them below the daily limit. */
const PAUSE_MS = 1_000;
const COMPOSE_FILE = 'infra/docker-compose.yml';
/** Restarted only if the topology changed; the rest is replaced. */
const SERVERS = ['postgres', 'rabbitmq'];

let dir: string;
let before: Release;
let containers: Containers;
let merchant: Merchant;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'vuka-release-before-'));
  before = { root: join(dir, 'checkout'), tag: process.env.VUKA_VERSION_BEFORE ?? 'release-before' };
  await checkOut(before.root);
  containers = await createContainers();
  // Images that are named by the environment were built before.
  if (!process.env.VUKA_VERSION) await containers.compose('build');
  containers.use(before);
  if (!process.env.VUKA_VERSION_BEFORE) await containers.compose('build');
  await containers.compose('up', '--detach', '--wait');
  ({ merchant } = await setUp(containers));
}, LONGEST_MS * 2);
afterAll(async () => {
  await containers?.remove();
  if (dir) await rm(dir, { recursive: true, force: true });
}, LONGEST_MS);

/**
 * Checks out the previous release, but with this release's servers: Postgres 18 cannot read the data of 17, and the
 * dump and restore that this needs (docs/deployment.md#upgrade) are not part of this test.
 */
async function checkOut(root: string): Promise<void> {
  const archive = join(dir, 'release.tar');
  await run('git', ['archive', '--prefix', 'checkout/', '--output', archive, BEFORE], { cwd: ROOT });
  await run('tar', ['-xf', archive, '-C', dir]);
  const read = async (from: string) => parse(await readFile(join(from, COMPOSE_FILE), 'utf8'), { merge: true });
  const [old, now] = await Promise.all([read(root), read(ROOT)]);
  for (const server of SERVERS) old.services[server] = now.services[server];
  // The previous release allows 30 s for a start before `up --wait` fails; a busy machine needs longer.
  for (const service of Object.values<{ image: string; healthcheck?: object }>(old.services)) {
    if (service.image.startsWith('vuka:')) service.healthcheck = { ...service.healthcheck, start_period: '300s' };
  }
  await writeFile(join(root, COMPOSE_FILE), stringify(old));
}

const TRANSFERS = `select count(*), sum(source_amount), md5(string_agg(id || status || source_amount, ',' order by id)) from transactions`;
const WALLETS = `select string_agg(code || ' ' || posted_minor || ' ' || held_minor, ',' order by code) from accounts where user_id is not null`;

/** A summary of all transfers and all balances in the tables. */
async function readBooks(): Promise<string[]> {
  return [await containers.psql('vuka_transfers', TRANSFERS), await containers.psql('vuka_wallet', WALLETS)];
}

async function sendMore(): Promise<void> {
  for (let sent = 0; sent < 5; sent += 1) await merchant.send();
  await merchant.untilSettled();
  await merchant.expectExactBalance();
}

/** The lines of docs/deployment.md#upgrade, with orders that arrive meanwhile. */
async function upTo(release: Release): Promise<void> {
  const books = await readBooks();
  containers.use(release);
  await containers.compose('up', '--detach', '--wait');
  await untilReady(containers);
  expect(await readBooks()).toEqual(books);
  await merchant.untilSettled();
  await merchant.expectExactBalance();
}

test('the release before runs, and settles what is sent', sendMore, LONGEST_MS);

test(
  'it is upgraded by the documented lines, and every transfer and balance is there',
  async () => {
    await containers.set({ VUKA_EVENT_NAMES: 'release-0.1' });
    await upTo(THIS_RELEASE);
    await sendMore();
  },
  LONGEST_MS,
);

test(
  'it is stepped back, with the transfers of the new release',
  async () => {
    await upTo(before);
    await sendMore();
  },
  LONGEST_MS,
);

test(
  'it is upgraded again under orders, one service after the other, and then writes the names of this release',
  async () => {
    containers.use(THIS_RELEASE);
    const replacing = containers.replace();
    let isReplacing = true;
    const replaced = replacing.finally(() => {
      isReplacing = false;
    });
    while (isReplacing) {
      await merchant.send();
      await delay(PAUSE_MS);
    }
    await replaced;
    await merchant.untilSettled();
    await merchant.expectExactBalance();
    await containers.set({ VUKA_EVENT_NAMES: '' });
    await upTo(THIS_RELEASE);
    await sendMore();
  },
  LONGEST_MS,
);
