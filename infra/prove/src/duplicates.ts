import { connect } from 'amqplib';
import pg from 'pg';

interface Sent {
  exchange: string;
  routing_key: string;
  envelope: { id: string; type: string; time: string };
}

/**
 * Publishes messages that were published before once more, in any order: what a broker may do at any time. Half are the
 * latest, whose work is still being done; half are of any age.
 */
export async function republishAtRandom(options: {
  amqpUrl: string;
  databaseUrl: string;
  count: number;
}): Promise<void> {
  const database = new pg.Client({ connectionString: options.databaseUrl });
  await database.connect();
  const { rows } = await database
    .query<Sent>(
      `select exchange, routing_key, envelope from
         (select *, row_number() over (order by id desc) as age
           from outbox where published_at is not null order by id desc limit 2000) as latest
       order by age > $1, random() limit 2 * $1`,
      [options.count],
    )
    .finally(() => database.end());
  const connection = await connect(options.amqpUrl);
  try {
    const channel = await connection.createConfirmChannel();
    for (const { exchange, routing_key, envelope } of rows) {
      channel.publish(exchange, routing_key, Buffer.from(JSON.stringify(envelope)), {
        contentType: 'application/cloudevents+json; charset=UTF-8',
        messageId: envelope.id,
        type: envelope.type,
        timestamp: Math.floor(Date.parse(envelope.time) / 1_000),
        persistent: true,
      });
    }
    await channel.waitForConfirms();
  } finally {
    await connection.close();
  }
}
