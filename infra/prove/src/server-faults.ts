import { setTimeout as delay } from 'node:timers/promises';
import type { Inject, Installation } from './installation.ts';
import { PROCESSES, SIMULATOR, untilReady } from './processes.ts';
import { lengthOf } from './random.ts';

type Server = 'postgres' | 'broker';

/** Gives a fault exclusive use of a server: a second fault of the same server waits until the first is healed. */
export function ofServer<Name extends Server, Result>(
  broken: Installation,
  name: Name,
  act: (server: NonNullable<Installation[Name]>) => Promise<Result>,
): Promise<Result> {
  const server = broken[name];
  if (!server) throw new Error(`this proof has no ${name}`);
  return server.alone(() => act(server as NonNullable<Installation[Name]>));
}

function kill(name: Server): Inject {
  return (broken) =>
    ofServer(broken, name, async (server) => {
      const startedMs = performance.now();
      await server.killAndRestart();
      await untilReady(broken, PROCESSES);
      return performance.now() - startedMs;
    });
}

/** The provider loses its database while the product keeps running. */
const killProviderPostgres: Inject = async (broken) => {
  const startedMs = performance.now();
  await broken.provider.postgres.killAndRestart();
  await untilReady(broken, [SIMULATOR]);
  return performance.now() - startedMs;
};

function breakNetwork(name: Server, how: 'cut' | 'pause' | 'dropAnswers'): Inject {
  return (broken, draw) =>
    ofServer(broken, name, async ({ proxy }) => {
      proxy[how]();
      await delay(lengthOf(draw, 200, 3_000));
      // Connections whose answers were dropped are unusable.
      if (how === 'dropAnswers') proxy.cut();
      proxy.restore();
      return untilReady(broken, PROCESSES);
    });
}

/** The database refuses writes for a while, as before a switch to another server. */
const makeReadOnly: Inject = (broken, draw) =>
  ofServer(broken, 'postgres', async (postgres) => {
    await postgres.setReadOnly(true);
    await delay(lengthOf(draw, 500, 8_000));
    await postgres.setReadOnly(false);
    return untilReady(broken, PROCESSES);
  });

/** Faults of Postgres and RabbitMQ that affect every service. */
export const SERVER_FAULTS: Record<string, Inject> = {
  'kill postgres': kill('postgres'),
  'kill broker': kill('broker'),
  'cut postgres': breakNetwork('postgres', 'cut'),
  'cut broker': breakNetwork('broker', 'cut'),
  'silent postgres': breakNetwork('postgres', 'pause'),
  'silent broker': breakNetwork('broker', 'pause'),
  'answers of postgres lost': breakNetwork('postgres', 'dropAnswers'),
  'answers of broker lost': breakNetwork('broker', 'dropAnswers'),
  'read-only postgres': makeReadOnly,
  'kill postgres of the provider': killProviderPostgres,
};
