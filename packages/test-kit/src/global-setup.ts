import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@vuka/embedded-postgres';
import { findInstalledBroker, installBroker, type RunningBroker, startBrokerNode } from './rabbitmq-node.ts';
import { TEST_SERVERS_VARIABLE, type TestServers } from './test-servers.ts';

type Running<Name extends keyof TestServers> = TestServers[Name] & { stop(): Promise<void> };

const starters: { [Name in keyof TestServers]: () => Promise<Running<Name>> } = {
  postgres: startPostgres,
  rabbitmq: startRabbitmq,
};
const started = new Map<string, Promise<{ stop(): Promise<void> }>>();
let server: Server | undefined;

/** Provides the servers of a test run; each starts on first use, so that running one file is quick. */
export async function setup(): Promise<void> {
  server = createServer((request, response) => {
    const name = (request.url ?? '').slice(1);
    startOnce(name).then(
      (running) => response.setHeader('content-type', 'application/json').end(JSON.stringify(running)),
      (error: unknown) => response.writeHead(503).end(error instanceof Error ? error.message : String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.env[TEST_SERVERS_VARIABLE] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Stops the servers that were started. */
export async function teardown(): Promise<void> {
  server?.close();
  server?.closeAllConnections();
  const running = await Promise.allSettled(started.values());
  await Promise.all(running.map((server) => server.status === 'fulfilled' && server.value.stop()));
  started.clear();
}

function startOnce(name: string): Promise<{ stop(): Promise<void> }> {
  if (!(name === 'postgres' || name === 'rabbitmq')) return Promise.reject(new Error(`No test server ${name}`));
  const running = started.get(name) ?? starters[name]();
  started.set(name, running);
  return running;
}

async function startPostgres(): Promise<Running<'postgres'>> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, stop: async () => undefined };
  const dir = await mkdtemp(join(tmpdir(), 'vuka-test-postgres-'));
  await chmod(dir, 0o755); // the server's account must be able to enter
  // A crash of the machine ends the run as well, so there is no need to wait for the disk.
  const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '300' };
  const postgres = await startEmbeddedPostgres({ dataDir: join(dir, 'data'), settings });
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function startRabbitmq(): Promise<RunningBroker> {
  const given = process.env.TEST_AMQP_URL;
  if (given) return { ...addressesOf(given), stop: async () => undefined };
  const installed = findInstalledBroker();
  if (installed) return startBrokerNode(installed);
  const container = await startContainer().catch((error: unknown) => error);
  if (container && typeof container === 'object' && 'amqpUrl' in container) return container as RunningBroker;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    installBroker();
    const script = findInstalledBroker();
    if (script) return startBrokerNode(script);
  }
  throw new Error(
    'The tests need RabbitMQ: install rabbitmq-server, or Docker, or set TEST_AMQP_URL to a broker with its management plugin',
    { cause: container },
  );
}

/** Suites create virtual hosts through the management API, by default on its usual port. */
function addressesOf(amqpUrl: string): TestServers['rabbitmq'] {
  const { hostname, username, password } = new URL(amqpUrl);
  const usual = `http://${username || 'guest'}:${password || 'guest'}@${hostname}:15672/`;
  return { amqpUrl, managementUrl: process.env.TEST_RABBITMQ_MANAGEMENT_URL ?? usual };
}

async function startContainer(): Promise<RunningBroker> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const container = await new GenericContainer('rabbitmq:4.1-management-alpine')
    .withExposedPorts(5672, 15672)
    .withWaitStrategy(Wait.forLogMessage(/Server startup complete/))
    .start();
  const host = container.getHost();
  return {
    amqpUrl: `amqp://guest:guest@${host}:${container.getMappedPort(5672)}/`,
    managementUrl: `http://guest:guest@${host}:${container.getMappedPort(15672)}/`,
    stop: async () => void (await container.stop()),
  };
}
