import pg from 'pg';
import { withBroker } from './queues.ts';

interface Sent {
  exchange: string;
  routingKey: string;
  envelope: { id: string; type: string; time: string };
}

/**
 * Publishes earlier messages again, in any order, as a broker may do at any time. Half are the most recent ones,
 * whose work is still in progress; half are of any age.
 */
export async function republishAtRandom(options: {
  amqpUrl: string;
  databaseUrl: string;
  count: number;
}): Promise<void> {
  const database = new pg.Client({ connectionString: options.databaseUrl });
  await database.connect();
  const { rows } = await database
    .query<{ message: Sent }>(
      `select text::json as message from
         (select text, row_number() over (order by id desc, place desc) as age
           from outbox, unnest(string_to_array(messages, chr(30))) with ordinality as pack(text, place)
           where published_at is not null order by id desc, place desc limit 2000) as latest
       order by age > $1, random() limit 2 * $1`,
      [options.count],
    )
    .finally(() => database.end());
  await withBroker(options.amqpUrl, async (connection) => {
    const channel = await connection.createConfirmChannel();
    for (const { message } of rows) {
      const { exchange, routingKey, envelope } = message;
      channel.publish(exchange, routingKey, Buffer.from(JSON.stringify(envelope)), {
        contentType: 'application/cloudevents+json; charset=UTF-8',
        messageId: envelope.id,
        type: envelope.type,
        timestamp: Math.floor(Date.parse(envelope.time) / 1_000),
        persistent: true,
      });
    }
    await channel.waitForConfirms();
  });
}
