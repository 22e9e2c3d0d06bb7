import { Agent, request } from 'undici';
import * as z from 'zod/mini';
import { readAuthority } from './amqp-link.ts';

/** Figures that only the broker's management API knows; null until it has counted. */
export interface ManagementFigures {
  unacked: number | null;
  inPerSecond: number | null;
  outPerSecond: number | null;
}

const Rate = z.optional(z.object({ rate: z.number() }));
const Queues = z.array(
  z.object({
    name: z.string(),
    messages_unacknowledged: z.optional(z.number()),
    message_stats: z.optional(z.object({ publish_details: Rate, ack_details: Rate })),
  }),
);

const COLUMNS = ['name', 'messages_unacknowledged', 'message_stats.publish_details', 'message_stats.ack_details'];
const TIMEOUT_MS = 2_000;

/**
 * The figures of every queue of a virtual host, by name. `url` is the management API's address with a user who has
 * the tag `management`. Empty if it does not answer in time: the figures are only displayed.
 */
export async function readManagementFigures(url: string, vhost: string): Promise<Map<string, ManagementFigures>> {
  const address = new URL(url);
  const { origin, username, password } = address;
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  let agent: Agent | undefined;
  try {
    const ca = await readAuthority(address);
    agent = new Agent({ connect: ca ? { ca } : {} });
    const path = `/api/queues/${encodeURIComponent(vhost)}?columns=${COLUMNS.join(',')}`;
    const { statusCode, body } = await request(origin + path, {
      dispatcher: agent,
      headers: { authorization: `Basic ${Buffer.from(user).toString('base64')}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (statusCode !== 200) return new Map();
    const queues = z.parse(Queues, await body.json());
    return new Map(queues.map((queue) => [queue.name, toFigures(queue)]));
  } catch {
    return new Map();
  } finally {
    await agent?.destroy();
  }
}

function toFigures({ messages_unacknowledged: unacked, message_stats: stats }: z.infer<typeof Queues>[number]) {
  return {
    unacked: unacked ?? null,
    inPerSecond: stats?.publish_details?.rate ?? null,
    outPerSecond: stats?.ack_details?.rate ?? null,
  };
}
