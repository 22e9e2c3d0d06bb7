import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { getResponse } from 'msw';
import { createHandlers } from './handlers.ts';
import { createWorld, type World } from './world.ts';

// Serves the built app as the gateway does, and the API from the handlers of the page tests: no backend needed.

const DIST = join(import.meta.dirname, '../dist');

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** The hashes of a page's inline scripts or styles, as the gateway allows them. */
function hashesIn(page: string, tag: 'script' | 'style'): string {
  const inline = [...page.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))];
  return inline.map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ');
}

/** The strictest policy under which a page of the app must work. */
function policyFor(page: string): string {
  const sources = `script-src 'self' ${hashesIn(page, 'script')}; style-src 'self' ${hashesIn(page, 'style')}`;
  return `default-src 'self'; ${sources}; base-uri 'none'; frame-ancestors 'none'; object-src 'none'`;
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length > 0 ? Buffer.concat(chunks) : undefined;
}

const PROGRESS = [
  { status: 'PROCESSING', afterMs: 1_500 },
  { status: 'SETTLED', afterMs: 4_000 },
] as const;

/** Moves a new transfer through its states, and notifies the open pages. */
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
  const isBackground = request.headers['x-vuka-background'] !== undefined;
  const asked = new Request(url, {
    method: request.method ?? 'GET',
    headers: {
      ...(isBackground ? { 'x-vuka-background': '1' } : {}),
      ...(typeof key === 'string' ? { 'idempotency-key': key } : {}),
    },
    ...(body ? { body: new Uint8Array(body) } : {}),
  });
  const answer = await getResponse(createHandlers(world), asked);
  response.writeHead(answer?.status ?? 404, answer ? Object.fromEntries(answer.headers) : {});
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
  const own = join(DIST, path === '/' ? 'send.html' : `${path}.html`);
  const file = isFile ? join(DIST, path) : existsSync(own) ? own : join(DIST, 'index.html');
  const isCompressible = !['.woff2', '.png'].includes(extname(file));
  response.writeHead(200, {
    'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    ...(file.endsWith('.html') ? { 'content-security-policy': policyFor(await readFile(file, 'utf8')) } : {}),
    ...(isCompressible ? { 'content-encoding': 'br' } : {}),
  });
  createReadStream(isCompressible ? `${file}.br` : file).pipe(response);
}

export interface MockServer {
  url: string;
  world: World;
  close: () => void;
}

/** Starts on `port`, or on a free one. `world` may be changed while it runs. */
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
    // By a name: passkeys do not work at an IP address.
    url: `http://localhost:${actualPort}`,
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
