import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { getResponse } from 'msw';
import { createHandlers, createWorld, type World } from './handlers.ts';

// Serves the built app as the gateway does, and the API from the handlers of the page tests: no backend needed.

const DIST = join(import.meta.dirname, '../dist');

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** The strictest policy that the app must live under. */
const POLICY =
  "default-src 'self'; base-uri 'none'; frame-ancestors 'none'; object-src 'none'; require-trusted-types-for 'script'";

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length > 0 ? Buffer.concat(chunks) : undefined;
}

const PROGRESS = [
  { status: 'PROCESSING', afterMs: 1_500 },
  { status: 'SETTLED', afterMs: 4_000 },
] as const;

/** Lets a new transfer go through its states, and tells the open pages. */
function progress(world: World, listeners: Set<ServerResponse>): void {
  const id = world.transactions[0]?.id;
  for (const { status, afterMs } of PROGRESS) {
    setTimeout(() => {
      const at = new Date().toISOString();
      world.transactions = world.transactions.map((item) =>
        item.id === id ? { ...item, status, updatedAt: at } : item,
      );
      const data = JSON.stringify({ transactionId: id, status, at });
      for (const listener of listeners) listener.write(`event: transaction\ndata: ${data}\n\n`);
    }, afterMs).unref();
  }
}

const listeners = new Map<World, Set<ServerResponse>>();

function follow(world: World, response: ServerResponse): void {
  const own = listeners.get(world) ?? new Set();
  listeners.set(world, own.add(response));
  response.on('close', () => own.delete(response));
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).write(':ok\n\n');
}

async function answerApi(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === '/api/events') {
    follow(world, response);
    return;
  }
  const body = await readBody(request);
  const url = `http://${request.headers.host}${request.url}`;
  const key = request.headers['idempotency-key'];
  const asked = new Request(url, {
    method: request.method ?? 'GET',
    headers: typeof key === 'string' ? { 'idempotency-key': key } : {},
    ...(body ? { body: new Uint8Array(body) } : {}),
  });
  const answer = await getResponse(createHandlers(world), asked);
  response.writeHead(answer?.status ?? 404, { 'content-type': 'application/json' });
  response.end(answer ? await answer.text() : '{}');
  if (request.url === '/api/transactions/create' && answer?.status === 201)
    progress(world, listeners.get(world) ?? new Set());
}

async function answerFile(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = normalize(new URL(request.url ?? '/', 'http://x').pathname);
  const isFile = await stat(join(DIST, path)).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile && path.startsWith('/assets/')) {
    response.writeHead(404).end();
    return;
  }
  const file = join(DIST, isFile ? path : 'index.html');
  const isCompressible = extname(file) !== '.woff2';
  response.writeHead(200, {
    'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    'content-security-policy': POLICY,
    ...(isCompressible ? { 'content-encoding': 'br' } : {}),
  });
  createReadStream(isCompressible ? `${file}.br` : file).pipe(response);
}

export interface MockServer {
  url: string;
  world: World;
  close: () => void;
}

/** Starts on `port`, or a free one. `world` may be changed while it runs. */
export async function startMockServer(port = 0, overrides: Partial<World> = {}): Promise<MockServer> {
  const world = createWorld(overrides);
  const server = createServer((request, response) => {
    const answer = request.url?.startsWith('/api/')
      ? answerApi(world, request, response)
      : answerFile(request, response);
    answer.catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  const actualPort = typeof address === 'object' && address ? address.port : port;
  return {
    url: `http://127.0.0.1:${actualPort}`,
    world,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

if (import.meta.main) {
  const { url } = await startMockServer(Number(process.env.PORT ?? 4173));
  process.stdout.write(`Vuka with made-up data: ${url}\n`);
}
