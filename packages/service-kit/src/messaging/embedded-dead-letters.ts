import { CloudEvent } from '@vuka/contracts/cloud-event';
import type { Topology } from '@vuka/contracts/topology';
import { countOf, firstOf } from '#messaging/dead-messages.ts';
import type { StoredMessage } from '#messaging/embedded-consumer.ts';
import { deadQueueOf, type EmbeddedStore } from '#messaging/embedded-store.ts';
import { type DeadMessage, LONGEST_LOOK, type MessageBus } from '#messaging/message-bus.ts';
import { queueOf } from '#messaging/routing.ts';

interface DeadJob {
  id: string;
  created_on: Date;
  data: StoredMessage;
}

/** pg-boss dead-letters a message that crashed its consumers, without a reason from us. */
const BURIED_BY_BUS = 'delivery_limit';

/** The dead messages of the embedded bus. Each move is one transaction: a message is always in exactly one place. */
export function embeddedDeadLetters(
  store: () => EmbeddedStore,
  topology: Topology,
): Pick<MessageBus, 'redrive' | 'listDead' | 'countDead' | 'settleDead'> {
  return {
    redrive: (queue, max, matches = () => true) =>
      redrive(store(), { queue: queueOf(topology, queue).name, max, matches }),
    // Async, so that an unknown queue rejects.
    listDead: async (queue, limit, matches = () => true) =>
      firstOf(readMatching(store(), queueOf(topology, queue).name, matches), limit),
    countDead: async (queue, matches) => countOf(readMatching(store(), queueOf(topology, queue).name, matches)),
    settleDead: (queue, id, to) => settle(store(), { queue: queueOf(topology, queue).name, id, to }),
  };
}

const PAGE = 100;

async function* readMatching(store: EmbeddedStore, queue: string, matches: (message: DeadMessage) => boolean) {
  let last: { createdText: string; id: string } | undefined;
  for (let read = 0; read < LONGEST_LOOK; read += PAGE) {
    const jobs = await store.query<DeadJob & { createdText: string }>(
      `select id, created_on, created_on::text as "createdText", data from pgboss.job
       where name = $1 and state < 'active' and ($2::timestamptz is null or (created_on, id) > ($2::timestamptz, $3::uuid))
       order by created_on, id limit $4`,
      [deadQueueOf(queue), last?.createdText ?? null, last?.id ?? null, PAGE],
    );
    for (const message of jobs.map(toDeadMessage)) if (matches(message)) yield message;
    last = jobs.at(-1);
    if (jobs.length < PAGE) return;
  }
}

interface Redrive {
  queue: string;
  max: number;
  matches: (message: DeadMessage) => boolean;
}

async function redrive(store: EmbeddedStore, { queue, max, matches }: Redrive): Promise<number> {
  const boss = store.boss();
  const dead = deadQueueOf(queue);
  return store.transact(
    async (db) => {
      const { rows } = await db.executeSql(
        `select id, created_on, data from pgboss.job
         where name = $1 and state < 'active' order by created_on, id limit $2 for update skip locked`,
        [dead, LONGEST_LOOK],
      );
      const jobs = (rows as DeadJob[]).filter((job) => matches(toDeadMessage(job))).slice(0, max);
      if (jobs.length === 0) return 0;
      const revived = jobs.map(({ data }) => ({ data: firstAttempt(data) }));
      await boss.insert(queue, revived, { db });
      await db.executeSql('delete from pgboss.job where name = $1 and id = any($2::uuid[])', [
        dead,
        jobs.map(({ id }) => id),
      ]);
      return jobs.length;
    },
    [queue],
  );
}

async function settle(
  store: EmbeddedStore,
  { queue, id, to }: { queue: string; id: string; to: 'requeue' | 'drop' },
): Promise<boolean> {
  const boss = store.boss();
  return store.transact(
    async (db) => {
      const { rows } = await db.executeSql(
        `delete from pgboss.job where name = $1 and id = (
           select id from pgboss.job
           where name = $1 and state < 'active' and coalesce(data->'envelope'->>'id', id::text) = $2
           order by created_on limit 1 for update skip locked)
         returning data`,
        [deadQueueOf(queue), id],
      );
      const [job] = rows as Pick<DeadJob, 'data'>[];
      if (job && to === 'requeue') await boss.insert(queue, [{ data: firstAttempt(job.data) }], { db });
      return job !== undefined;
    },
    [queue],
  );
}

function firstAttempt({ envelope, key }: StoredMessage) {
  return { envelope, key, attempt: 1 };
}

function toDeadMessage({ id, created_on: diedAt, data }: DeadJob): DeadMessage {
  const envelope = CloudEvent.safeParse(data.envelope);
  const given = data.envelope as { id?: unknown } | null;
  return {
    id: String(given?.id ?? id),
    type: envelope.success ? envelope.data.type : null,
    routingKey: data.key,
    reason: data.reason ?? BURIED_BY_BUS,
    attempts: data.attempt,
    diedAt,
    body: data.envelope,
  };
}
