import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFeedStreams, type FeedStreams } from './feed-streams.ts';

let server: Server;
let streams: FeedStreams;

beforeEach(async () => {
  streams = createFeedStreams();
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** A reader that has received the head of its answer, and reads no more until the test says so. */
async function connect(): Promise<{ answer: ServerResponse; reader: IncomingMessage }> {
  const asked = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false });
  request.on('error', () => undefined);
  const [, answer] = await asked;
  answer.writeHead(200).flushHeaders();
  const [reader] = (await once(request, 'response')) as [IncomingMessage];
  reader.on('error', () => undefined);
  return { answer, reader };
}

/** More than the buffers of both ends of a connection hold. */
const TOO_MUCH = 'x'.repeat(32 * 1024 * 1024);

describe('a stream of the feed', () => {
  test('waits for a slow reader, and continues when it reads', async () => {
    const { answer, reader } = await connect();
    const stream = streams.open('a-key', answer);
    let isWritten = false;
    const writing = stream.write(TOO_MUCH).then(() => {
      isWritten = true;
    });
    const waits = answer.writableLength;
    stream.writeIfRead(': left out');
    expect(answer.writableLength).toBe(waits);
    await new Promise(setImmediate);
    expect(isWritten).toBe(false);
    reader.resume();
    await writing;
    expect(stream.isOver).toBe(false);
  });

  test('ends at once if its reader does not read, and frees its slot', async () => {
    const { answer } = await connect();
    const stream = streams.open('a-key', answer);
    const writing = stream.write(TOO_MUCH);
    const closed = once(answer, 'close');
    streams.endAll();
    await Promise.all([writing, closed]);
    expect([stream.isOver, streams.size]).toEqual([true, 0]);
  });

  test('ends when its reader disconnects, whatever it waits for', async () => {
    const { answer, reader } = await connect();
    const stream = streams.open('a-key', answer);
    const waiting = stream.news(60_000);
    reader.destroy();
    await waiting;
    expect([stream.isOver, streams.size]).toEqual([true, 0]);
    await stream.write('to nobody');
  });

  test('notices a wake-up since its last wait, even if it was not waiting', async () => {
    const stream = streams.open('a-key', (await connect()).answer);
    streams.wake();
    await stream.news(60_000);
    const waiting = stream.news(60_000);
    streams.wake();
    await waiting;
    await stream.news(1);
  });
});

test('a stream that ends before it began leaves the answer to its route', async () => {
  const asked = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
  get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false }).on('error', () => undefined);
  const [, answer] = await asked;
  const stream = streams.open('a-key', answer);
  streams.endAll();
  expect([stream.isOver, answer.headersSent, answer.writableEnded]).toEqual([true, false, false]);
});

test('a key can open five streams, all keys together a hundred, and none while the process stops', async () => {
  const { answer } = await connect();
  answer.setMaxListeners(300);
  for (let key = 0; key < 20; key += 1) {
    for (let stream = 0; stream < 5; stream += 1) streams.open(`key ${key}`, answer);
    expect(() => streams.open(`key ${key}`, answer)).toThrow('Too many streams are open at once.');
  }
  expect(() => streams.open('one more', answer)).toThrow('Too many streams are open at once.');
  streams.endAll();
  expect(() => streams.open('later', answer)).toThrow('temporarily unavailable');
});
