import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { REFUSALS } from '@vuka/contracts/texts/refusals';

/** One address for the processes of a service. */
export interface FrontDoor {
  port: number;
  /** Adds a process on this machine for new connections. */
  add(port: number): void;
  /** Sends no new connections to this process. */
  remove(port: number): void;
  close(): void;
}

/** How long a service's call waits for a process that accepts connections, ms. */
const INNER_PATIENCE_MS = 10_000;
/** How long an outside caller's request waits, ms, like `lb_try_duration` in infra/proxy/Caddyfile. */
const OUTER_PATIENCE_MS = 4_000;
const PAUSE_MS = 50;

interface Processes extends Pick<FrontDoor, 'add' | 'remove'> {
  next(): number;
}

function takeTurns(): Processes {
  const ports: number[] = [];
  let turn = 0;
  return {
    next: () => ports[turn++ % ports.length] ?? 0,
    add: (port) => void ports.push(port),
    remove: (port) => void ports.splice(ports.indexOf(port), 1),
  };
}

/** Balances connections, as an orchestrator's network does: each stays with its process until one side closes it. */
export async function openInnerDoor(): Promise<FrontDoor> {
  const processes = takeTurns();
  const server = createServer({ noDelay: true }, (caller) => {
    const deadlineMs = Date.now() + INNER_PATIENCE_MS;
    let upstream: Socket | undefined;
    const pass = () => {
      const process = connect({ host: '127.0.0.1', port: processes.next(), noDelay: true });
      upstream = process;
      let isConnected = false;
      process.once('connect', () => {
        isConnected = true;
        caller.pipe(process).pipe(caller);
      });
      process.on('error', () => {
        if (isConnected || caller.destroyed || Date.now() > deadlineMs) caller.destroy();
        else setTimeout(pass, PAUSE_MS);
      });
      process.on('close', () => isConnected && caller.destroy());
    };
    caller.on('error', () => undefined).on('close', () => upstream?.destroy());
    pass();
  });
  return { ...processes, port: await listen(server), close: () => void server.close() };
}

/**
 * Balances requests, as the proxy of infra/proxy/Caddyfile does. If a gateway refuses the connection, it has not seen
 * the request, so the next gateway gets it; if none accepts a connection in time, the request is refused. No other
 * request is repeated, and no connection to a gateway is reused.
 */
export async function openOuterDoor(): Promise<FrontDoor> {
  const processes = takeTurns();
  const server = createHttpServer((incoming, answer) => {
    buffer(incoming).then(
      (body) => passOn({ incoming, body, answer }, processes.next, Date.now() + OUTER_PATIENCE_MS),
      // The caller has left before the request was whole, so there is nothing to pass on.
      () => answer.destroy(),
    );
  });
  // Keeps idle connections of callers open; by default Node closes them after five seconds.
  server.keepAliveTimeout = 120_000;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { ...processes, port: await listen(server), close };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

interface Passing {
  incoming: IncomingMessage;
  body: Buffer;
  answer: ServerResponse;
}

function passOn(passing: Passing, next: () => number, deadlineMs: number): void {
  const { incoming, body, answer } = passing;
  const headers = { ...incoming.headers, 'x-forwarded-for': incoming.socket.remoteAddress ?? '' };
  const to = { host: '127.0.0.1', port: next(), agent: false as const };
  const outgoing = request({ ...to, method: incoming.method, path: incoming.url, headers });
  outgoing.on('response', (response) => {
    // The caller has left before the answer came.
    if (answer.destroyed) {
      response.destroy();
      return;
    }
    answer.writeHead(response.statusCode ?? 502, response.headers);
    // If either side leaves in the middle of a stream, the other side is closed.
    pipeline(response, answer, () => undefined);
  });
  outgoing.on('error', (error: NodeJS.ErrnoException) => {
    // A gateway may have handled the request, so the caller gets a broken connection, not a refusal.
    if (error.code !== 'ECONNREFUSED' || answer.destroyed) answer.destroy();
    else if (Date.now() < deadlineMs) setTimeout(passOn, PAUSE_MS, passing, next, deadlineMs);
    else refuse(answer);
  });
  outgoing.end(body);
}

function refuse(answer: ServerResponse): void {
  const { code, text: error } = REFUSALS.unavailable;
  const body = JSON.stringify({ error, code, requestId: randomUUID() });
  answer.writeHead(503, { 'retry-after': '2', 'content-type': 'application/json' }).end(body);
}
