import { readdirSync, readFileSync } from 'node:fs';

/** Processor time by process name, ms. */
export type ProcessorMs = Record<string, number>;

/** Linux reports processor time in ticks of 1/100 s (`USER_HZ`, proc(5)). */
const MS_PER_TICK = 10;
/** Servers are found by program name. Other servers on the machine do not matter while they are idle. */
const SERVERS: Record<string, string> = { postgres: 'postgres', 'beam.smp': 'rabbitmq' };

/**
 * Measures the processor time that the services, Postgres, RabbitMQ and this process use between this call and the
 * call of the returned function. Undefined if the system does not report it.
 */
export function measureProcessor(pids: Record<string, number>): () => ProcessorMs | undefined {
  const before = read(pids);
  return () => {
    const after = read(pids);
    if (!before || !after) return undefined;
    const names = Object.keys(after);
    return Object.fromEntries(names.map((name) => [name, Math.max(0, (after[name] ?? 0) - (before[name] ?? 0))]));
  };
}

/** The same time divided among `count` items, with the sum of all processes as `all`. */
export function perItem(used: ProcessorMs, count: number): ProcessorMs {
  const each = Object.entries(used).map(([name, ms]) => [name, ms / Math.max(count, 1)] as const);
  const all = each.reduce((sum, [, ms]) => sum + ms, 0);
  return Object.fromEntries([...each, ['all', all] as const].map(([name, ms]) => [name, Math.round(ms * 100) / 100]));
}

function read(pids: Record<string, number>): ProcessorMs | undefined {
  try {
    const services = Object.entries(pids).map(([name, pid]) => [name, statOf(pid)?.ownMs ?? 0] as const);
    const { user, system } = process.cpuUsage();
    return { ...Object.fromEntries(services), ...readServers(), load: (user + system) / 1_000 };
  } catch {
    return undefined;
  }
}

/** A server's ended children count too: each connection of Postgres is a process. */
function readServers(): ProcessorMs {
  const used: ProcessorMs = {};
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = statOf(Number(pid));
    const name = stat && SERVERS[stat.program];
    if (stat && name) used[name] = (used[name] ?? 0) + stat.ownMs + stat.endedChildrenMs;
  }
  return used;
}

/** Undefined if the process has ended. */
function statOf(pid: number): { program: string; ownMs: number; endedChildrenMs: number } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  const end = text.lastIndexOf(')');
  const program = text.slice(text.indexOf('(') + 1, end);
  // From the third field on; utime, stime, cutime and cstime are the 14th to 17th.
  const fields = text
    .slice(end + 2)
    .split(' ')
    .map(Number);
  const [own, ended] = [11, 13].map((at) => ((fields[at] ?? 0) + (fields[at + 1] ?? 0)) * MS_PER_TICK);
  return { program, ownMs: own ?? 0, endedChildrenMs: ended ?? 0 };
}
