// Stores every transfer event once in its own database, from a queue that `npm run consumer:create` created.
import { DatabaseSync } from 'node:sqlite';
import { type Channel, type ConsumeMessage, connect } from 'amqplib';

const { AMQP_URL = '', QUEUE = '', DATABASE = 'transfers.db' } = process.env;
const db = new DatabaseSync(DATABASE, { timeout: 5_000 }); // waits while another program reads the file
// `generation` is for read-feed.ts, which can share the file.
db.exec(`create table if not exists events (id text primary key, type text, transfer text, event text,
  generation integer not null default 0)`);
const insert = db.prepare('insert into events (id, type, transfer, event) values (?, ?, ?, ?) on conflict do nothing');

function keep(channel: Channel, message: ConsumeMessage | null): void {
  if (!message) throw new Error('the queue was deleted');
  // One event, or a batch of them in an array.
  const events = [JSON.parse(message.content.toString())].flat();
  db.exec('begin');
  try {
    // A repeat changes nothing.
    for (const event of events) insert.run(event.id, event.type, event.data.transferId, JSON.stringify(event));
    db.exec('commit');
  } catch (error) {
    db.exec('rollback'); // not acknowledged, so the broker delivers the message again
    throw error;
  }
  channel.ack(message); // after the commit: a crash before this line causes a redelivery
}

async function read(): Promise<void> {
  const connection = await connect(AMQP_URL);
  const lost = new Promise((resolve) => connection.once('close', resolve));
  connection.on('error', (error) => console.log(String(error)));
  const channel = await connection.createChannel();
  await channel.prefetch(100);
  await channel.consume(QUEUE, (message) => keep(channel, message));
  await lost;
}

for (;;) {
  await read().catch((error) => console.log(String(error)));
  await new Promise((resume) => setTimeout(resume, 1_000));
}
