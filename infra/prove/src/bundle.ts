import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { History } from './history.ts';
import type { PutAside } from './queues.ts';
import { readLogs, readTables, type Written } from './secrets.ts';

/** A fault that was injected, from its beginning until everything affected answered again; ISO times. */
export interface Struck {
  kind: string;
  from: string;
  to: string;
}

export interface Evidence {
  history: History;
  struck: readonly Struck[];
  putAside: readonly PutAside[];
  /** The recorded traffic between the product and the provider. */
  recordFile: string;
  dataDir: string;
  serverUrl: string;
  databasePrefix: string;
}

/** Longer stories are printed only in the bundle. */
const LINES_SHOWN = 60;
const IDS_TRIED = 50;
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/**
 * Writes the evidence of a failed run: every request, table row, log line and queued message, one per line, as `place`
 * and `text`. Returns the shortest story of something that broke.
 */
export async function writeBundle(dir: string, evidence: Evidence, findings: readonly string[]): Promise<string[]> {
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true });
  const ids = [...new Set(findings.flatMap((finding) => ID.exec(finding)?.[0] ?? []))].slice(0, IDS_TRIED);
  const stories = new Map(ids.map((id) => [id, [] as string[]]));
  async function* lines() {
    for await (const written of everything(evidence)) {
      const line = `${written.place}: ${written.text}`;
      for (const [id, story] of stories) if (line.includes(id)) story.push(line);
      yield `${JSON.stringify(written)}\n`;
    }
  }
  await pipeline(Readable.from(lines()), createGzip(), createWriteStream(join(dir, 'evidence.ndjson.gz')));
  const [shortest = []] = [...stories.values()].filter(({ length }) => length > 0).sort((a, b) => a.length - b.length);
  await pipeline(Readable.from(shortest.map((line) => `${line}\n`)), createWriteStream(join(dir, 'story.txt')));
  return shortest.slice(0, LINES_SHOWN);
}

async function* everything(evidence: Evidence): AsyncIterable<Written> {
  for (const { kind, from, to } of evidence.struck) yield { place: 'fault', text: `${from} to ${to}: ${kind}` };
  const { orders: order, quotes: quote, prices: price, decisions: decision, movements: movement } = evidence.history;
  const bank = evidence.history.bankPayments;
  for (const [place, list] of Object.entries({ order, quote, price, decision, bank, movement }))
    for (const each of list) yield { place, text: JSON.stringify(each, withoutPins) };
  for (const text of (await readFile(evidence.recordFile, 'utf8')).split('\n')) yield { place: 'provider', text };
  yield* readTables(evidence.serverUrl, evidence.databasePrefix);
  for (const { queue, reason, body } of evidence.putAside) yield { place: `queue ${queue}, ${reason}`, text: body };
  yield* readLogs(evidence.dataDir);
}

function withoutPins(name: string, value: unknown): unknown {
  if (name === 'pin') return undefined;
  return typeof value === 'bigint' ? value.toString() : value;
}
