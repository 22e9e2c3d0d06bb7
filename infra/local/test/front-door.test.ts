import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { ErrorBody } from '@vuka/contracts/http/common';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type FrontDoor, openOuterDoor } from './front-door.ts';

const streams: ServerResponse[] = [];
const gateway = createServer(({ url }, answer) => {
  streams.push(answer);
  if (url !== '/later') answer.writeHead(200).write('begun');
});
let door: FrontDoor;

beforeAll(async () => {
  gateway.listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  door = await openOuterDoor();
  door.add((gateway.address() as AddressInfo).port);
});

afterAll(() => {
  door.close();
  gateway.closeAllConnections();
  gateway.close();
});

async function openStream() {
  const leaving = new AbortController();
  const answer = await fetch(`http://127.0.0.1:${door.port}`, { signal: leaving.signal });
  return { leaving, reader: answer.body?.getReader(), stream: streams.at(-1) as ServerResponse };
}

test('a caller who leaves in the middle of a stream leaves the gateway too', async () => {
  const { leaving, reader, stream } = await openStream();
  await reader?.read();
  leaving.abort();
  await once(stream, 'close');
  expect(stream.writableFinished).toBe(false);
});

test('a gateway that dies in the middle of a stream ends it for the caller', async () => {
  const { reader, stream } = await openStream();
  await reader?.read();
  stream.destroy();
  await expect(reader?.read()).rejects.toThrow();
});

test('a caller who leaves before the answer begins leaves the gateway once it does', async () => {
  const leaving = new AbortController();
  const asked = streams.length;
  const answer = fetch(`http://127.0.0.1:${door.port}/later`, { signal: leaving.signal });
  await vi.waitUntil(() => streams.length > asked);
  leaving.abort();
  await expect(answer).rejects.toThrow();
  // By the time the door answers a later call, it has noticed that the first caller left.
  await openStream().then(({ leaving: other }) => other.abort());
  const stream = streams.at(asked) as ServerResponse;
  stream.writeHead(200).write('begun');
  await once(stream, 'close');
  expect(stream.writableFinished).toBe(false);
});

test('a caller who leaves in the middle of a request reaches no gateway, and the door stays open', async () => {
  const asked = streams.length;
  const caller = connect(door.port, '127.0.0.1');
  caller.write('POST /half HTTP/1.1\r\nhost: vuka.test\r\ncontent-length: 10\r\n\r\nhalf');
  await once(caller, 'connect');
  // Once another call is answered, the door has read the first half of this request.
  await openStream().then(({ leaving }) => leaving.abort());
  caller.resetAndDestroy();
  const { leaving } = await openStream();
  leaving.abort();
  expect(streams.length).toBe(asked + 2);
});

test('a request that no gateway accepts in time is refused as unavailable, and says when to come back', async () => {
  const gone = createServer().listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const { port } = gone.address() as AddressInfo;
  gone.close();
  await once(gone, 'close');
  const alone = await openOuterDoor();
  alone.add(port);
  const answer = await fetch(`http://127.0.0.1:${alone.port}/api/balances`);
  alone.close();
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('2');
  expect(ErrorBody.parse(await answer.json()).code).toBe('unavailable');
}, 10_000);
