// Stores every transfer event once in its own database. If it is stopped or killed, no event is lost or doubled.
import { DatabaseSync } from 'node:sqlite';

const { VUKA = 'http://127.0.0.1:3000', VUKA_API_KEY, DATABASE = 'transfers.db' } = process.env;
const SILENCE_MS = 45_000; // three heartbeats
const db = new DatabaseSync(DATABASE, { timeout: 5_000 }); // waits while another program reads the file
db.exec('create table if not exists events (id text primary key, type text, transfer text, event text)');
db.exec('create table if not exists place (row integer primary key check (row = 1), id text)');

function keep(block: Record<string, string>): void {
  if (block.event === 'gap') console.log('events are missing: compare with your own records');
  let settled = '';
  db.exec('begin');
  try {
    if (block.event !== 'gap' && block.data !== undefined) {
      const { id, type, data } = JSON.parse(block.data);
      const insert = db.prepare('insert into events values (?, ?, ?, ?) on conflict do nothing');
      const isNew = insert.run(id, type, data.transferId, block.data).changes === 1;
      if (isNew && block.event === 'transfer.settled.v1')
        settled = `${data.type} ${data.transferId} settled: ${data.targetAmount} ${data.targetCurrency}`;
    }
    if (block.id !== undefined) db.prepare('insert or replace into place values (1, ?)').run(block.id);
    db.exec('commit');
  } catch (error) {
    db.exec('rollback'); // the feed sends the event again, after the stored position
    throw error;
  }
  // After the commit, so that a repeat prints nothing again. A crash in between loses the line, not the event.
  if (settled) console.log(settled);
}

async function read(): Promise<void> {
  const place = db.prepare('select id from place').get() as { id: string } | undefined;
  const headers = { authorization: `Bearer ${VUKA_API_KEY}`, ...(place && { 'last-event-id': place.id }) };
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), SILENCE_MS);
  const answer = await fetch(`${VUKA}/api/feed/transfers?from=oldest`, { headers, signal: silence.signal });
  if (!(answer.ok && answer.body)) throw new Error(`${answer.status} ${await answer.text()}`);
  let text = '';
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    timer.refresh();
    const blocks = (text + chunk).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) keep(Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/))));
  }
}

for (;;) {
  await read().catch((error) => console.log(String(error))); // a refusal, silence, or a lost connection
  await new Promise((resume) => setTimeout(resume, 1_000));
}
