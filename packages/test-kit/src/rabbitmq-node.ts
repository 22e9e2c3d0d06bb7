import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { findFreePort } from '@vuka/embedded-postgres/free-port';
import type { TestServers } from './test-servers.ts';
import { until } from './until.ts';

export type RunningBroker = TestServers['rabbitmq'] & { stop(): Promise<void> };

/** A separate node of an installed RabbitMQ, with its own ports, data, configuration and name server. */
export interface BrokerNode extends RunningBroker {
  /** Where Prometheus reads its figures. */
  metricsHost: string;
  /** Kills it like a power cut; `restart` starts it again with the data on disk. */
  kill(): Promise<void>;
  /** Ends it after it has passed on what it leads. */
  shutDown(): Promise<void>;
  /** All its processes stop where they are, until they are resumed. */
  suspend(): void;
  resume(): void;
  restart(): Promise<void>;
}

/** What makes a node a member of a cluster. All members are started at the same time. */
export interface BrokerMember {
  /** The part of its name before the @. */
  name: string;
  /** The names of all. */
  members: readonly string[];
  /** The name server at which it registers and looks up the others; the caller starts it. */
  nameServerPort: number;
  cookie: string;
  /** The port at which the others reach it. */
  distributionPort: number;
}

/** Files of a server with TLS, in PEM. */
export interface TlsFiles {
  /** The certificate of the authority that signed the server's. */
  authority: string;
  certificate: string;
  key: string;
}

const START_TIMEOUT_MS = 90_000;
const MEMBER_STARTS = 4;
/** After about this time a silent member counts as lost; a minute by default, longer than a proof's faults. */
const TICK_SECONDS = 8;

/** The server's own script: Debian's wrapper in sbin changes the user, and cannot run a second node. */
export function findInstalledBroker(): string | undefined {
  const folders = ['/usr/lib/rabbitmq/bin', '/opt/homebrew/sbin', '/usr/local/sbin'];
  const onPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '/usr/sbin');
  return [...folders, ...onPath].map((folder) => join(folder, 'rabbitmq-server')).find((path) => existsSync(path));
}

/** Starts a private node on loopback, as any user. */
export async function startBrokerNode(
  script: string,
  { tls, member }: { tls?: TlsFiles; member?: BrokerMember } = {},
): Promise<BrokerNode> {
  const dir = await mkdtemp(join(tmpdir(), 'vuka-rabbitmq-'));
  const [port, management, metrics, distribution, epmd] = await Promise.all(Array.from({ length: 5 }, findFreePort));
  const ports = { port, management, metrics, distribution, epmd };
  const env = await prepareNode(dir, ports, { tls, member });
  const nameServer = member ? undefined : startNameServer(epmd);
  const start = () => (member ? startMember(script, dir, env) : startNode(script, dir, env));
  let node = await start();
  const kill = () => endGroup(node, 'SIGKILL');
  return {
    amqpUrl: tls
      ? `amqps://guest:guest@localhost:${port}/?cacertfile=${encodeURIComponent(tls.authority)}`
      : `amqp://guest:guest@127.0.0.1:${port}/`,
    managementUrl: `http://guest:guest@127.0.0.1:${management}/`,
    metricsHost: `127.0.0.1:${metrics}`,
    kill,
    shutDown: () => endGroup(node, 'SIGTERM'),
    suspend: () => signalGroup(node, 'SIGSTOP'),
    resume: () => signalGroup(node, 'SIGCONT'),
    async restart() {
      node = await start();
    },
    async stop() {
      await kill();
      nameServer?.kill('SIGKILL');
      await rm(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A separate process, because a name server started by a node would outlive it. */
function startNameServer(port: number | undefined): ChildProcess {
  const nameServer = spawn('epmd', ['-port', String(port), '-address', '127.0.0.1'], { stdio: 'ignore' });
  nameServer.on('error', () => undefined); // missing from the path in some installations: then the node starts its own
  return nameServer;
}

async function prepareNode(
  dir: string,
  ports: Record<string, number | undefined>,
  { tls, member }: { tls: TlsFiles | undefined; member: BrokerMember | undefined },
): Promise<NodeJS.ProcessEnv> {
  await mkdir(join(dir, 'home'));
  const listeners = tls
    ? [
        'listeners.tcp = none',
        `listeners.ssl.1 = 127.0.0.1:${ports.port}`,
        `ssl_options.cacertfile = ${tls.authority}`,
        `ssl_options.certfile = ${tls.certificate}`,
        `ssl_options.keyfile = ${tls.key}`,
      ]
    : [`listeners.tcp.1 = 127.0.0.1:${ports.port}`];
  const configuration = [
    ...listeners,
    'management.tcp.ip = 127.0.0.1',
    `management.tcp.port = ${ports.management}`,
    'prometheus.tcp.ip = 127.0.0.1',
    `prometheus.tcp.port = ${ports.metrics}`,
    'disk_free_limit.absolute = 50MB',
    'log.file.level = warning',
    ...(member ? clusterOf(member) : []),
  ];
  await writeFile(join(dir, 'rabbitmq.conf'), `${configuration.join('\n')}\n`);
  await writeFile(join(dir, 'enabled_plugins'), '[rabbitmq_management,rabbitmq_prometheus].\n');
  return {
    ...process.env,
    HOME: join(dir, 'home'),
    RABBITMQ_NODENAME: `${member?.name ?? `vuka${ports.port}`}@localhost`,
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_NODE_PORT: String(ports.port),
    RABBITMQ_DIST_PORT: String(member?.distributionPort ?? ports.distribution),
    ERL_EPMD_PORT: String(member?.nameServerPort ?? ports.epmd),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_MNESIA_BASE: join(dir, 'data'),
    RABBITMQ_LOG_BASE: join(dir, 'log'),
    RABBITMQ_CONFIG_FILE: join(dir, 'rabbitmq.conf'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(dir, 'enabled_plugins'),
    RABBITMQ_CONF_ENV_FILE: '/dev/null',
    RABBITMQ_PID_FILE: join(dir, 'rabbit.pid'),
    // One scheduler thread per core, without busy waiting: tests share the machine.
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: [
      '-kernel inet_dist_use_interface {127,0,0,1}',
      ...(member ? [`-kernel net_ticktime ${TICK_SECONDS}`] : []),
      `-setcookie ${member?.cookie ?? `vuka${ports.port}`} +sbwt none`,
    ].join(' '),
  };
}

const clusterOf = ({ members }: BrokerMember): string[] => [
  'cluster_partition_handling = pause_minority',
  'cluster_formation.peer_discovery_backend = classic_config',
  ...members.map((name, index) => `cluster_formation.classic_config.nodes.${index + 1} = ${name}@localhost`),
];

/**
 * Restarts a member like a service manager: it may end while it starts, for example because another member starts at
 * the same moment, and the others may wait for what only it has.
 */
async function startMember(script: string, dir: string, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startNode(script, dir, env);
    } catch (error) {
      if (attempt === MEMBER_STARTS) throw error;
    }
  }
}

async function startNode(script: string, dir: string, env: NodeJS.ProcessEnv) {
  const node = spawn(script, [], { env, cwd: dirname(script), stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  node.unref();
  let output = '';
  for (const stream of [node.stdout, node.stderr]) {
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-4000);
    });
  }
  const address = `http://127.0.0.1:${await managementPort(dir)}/api/health/checks/local-alarms`;
  const authorization = `Basic ${Buffer.from('guest:guest').toString('base64')}`;
  const isUp = async () => {
    if (node.exitCode !== null) return 'exited';
    return (await fetch(address, { headers: { authorization } })).ok && 'up';
  };
  const state = await until(isUp, { timeoutMs: START_TIMEOUT_MS, everyMs: 50, what: 'RabbitMQ to start' }).catch(
    async (error: Error) => {
      await endGroup(node, 'SIGKILL');
      throw error;
    },
  );
  if (state === 'exited') throw new Error(`RabbitMQ did not start: ${output}`);
  return node;
}

async function managementPort(dir: string): Promise<string | undefined> {
  const configuration = await readFile(join(dir, 'rabbitmq.conf'), 'utf8');
  return /management.tcp.port = (\d+)/.exec(configuration)?.[1];
}

async function endGroup(node: ChildProcess, how: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (node.pid === undefined || node.exitCode !== null || node.signalCode !== null) return;
  // The output closes when the last process of the group has ended; 'exit' is only the script that started it.
  const ended = once(node, 'close');
  signalGroup(node, how);
  await ended;
}

function signalGroup({ pid }: ChildProcess, name: NodeJS.Signals): void {
  if (pid !== undefined) process.kill(-pid, name);
}

/** Installs the distribution's package without starting its server. */
export function installBroker(): void {
  const policy = '/usr/sbin/policy-rc.d';
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = `set -e
    if [ ! -e ${policy} ]; then printf '#!/bin/sh\\nexit 101\\n' > ${policy}; chmod +x ${policy}; trap 'rm -f ${policy}' EXIT; fi
    apt-get update -qq && apt-get install -y -qq --no-install-recommends rabbitmq-server`;
  execFileSync('/bin/sh', ['-c', install], { env, stdio: ['ignore', 'ignore', 'inherit'] });
}
