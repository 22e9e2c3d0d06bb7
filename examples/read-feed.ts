// Stores every transfer event once in its own database. If it is stopped or killed, no event is lost or doubled.
import { DatabaseSync } from 'node:sqlite';

const { VUKA = 'http://127.0.0.1:3000', VUKA_API_KEY, DATABASE = 'transfers.db' } = process.env;
const SILENCE_MS = 45_000; // three heartbeats
const db = new DatabaseSync(DATABASE, { timeout: 5_000 }); // waits while another program reads the file
db.exec(`create table if not exists events (id text primary key, type text, transfer text, event text,
  generation integer not null default 0)`);
db.exec('create table if not exists place (row integer primary key check (row = 1), id text)');
// Each gap begins a generation of events. Those after `since` are still kept by Vuka, which sends them again.
db.exec('create table if not exists gaps (since text)');
db.exec(`create view if not exists lost as select * from events where generation < (select count(*) from gaps)
  and json_extract(event, '$.time') > (select max(since) from gaps)`);
const BEGIN_GENERATION = `insert into gaps values (strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-7 days'))`;
// The rows of `lost` at the last heartbeat after a gap; undefined: nothing to count. Counted again after a restart.
let lost = db.prepare('select 1 from gaps').get() ? -1 : undefined;

function keep(block: Record<string, string>): void {
  let settled = '';
  db.exec('begin');
  try {
    if (block.event === 'gap') {
      db.exec(BEGIN_GENERATION);
      lost = -1;
    } else if (block.data !== undefined && keepEvent(block.data) && block.event === 'transfer.settled.v1') {
      const { data } = JSON.parse(block.data);
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
  if (lost !== undefined && block.id !== undefined && block.data === undefined) lost = countLost(lost);
}

/** Whether the event is new. One that comes again is of the current generation from now on. */
function keepEvent(text: string): boolean {
  const { id, type, data } = JSON.parse(text);
  const insert = 'insert into events values (?, ?, ?, ?, (select count(*) from gaps)) on conflict do nothing';
  const isNew = db.prepare(insert).run(id, type, data.transferId, text).changes === 1;
  if (!isNew) db.prepare('update events set generation = (select count(*) from gaps) where id = ?').run(id);
  return isNew;
}

/** Once the number stays the same, everything that is kept has come again, and there is nothing more to count. */
function countLost(before: number): number | undefined {
  const { count } = db.prepare('select count(*) as count from lost').get() as { count: number };
  if (count === before) return undefined;
  console.log(`after a gap, ${count} events have not come again yet, and may be lost: see the view lost`);
  return count;
}

async function read(): Promise<void> {
  const place = db.prepare('select id from place').get() as { id: string } | undefined;
  const headers = { authorization: `Bearer ${VUKA_API_KEY}`, ...(place && { 'last-event-id': place.id }) };
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), SILENCE_MS);
  const answer = await fetch(`${VUKA}/api/feed/transfers?from=oldest`, { headers, signal: silence.signal });
  if (answer.status === 400 && place) {
    // The feed does not know this place: begin at the oldest event, as after a gap.
    db.exec(`begin; ${BEGIN_GENERATION}; delete from place; commit`);
    lost = -1;
  }
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
