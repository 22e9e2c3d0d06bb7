import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { openRecord } from './record-file.ts';

/**
 * A process between the product and the provider. It records every request, answer and callback before it forwards it,
 * and every payment that the provider reports. It reads neither side's books and makes up no answers.
 */
const {
  RECORD_FILE = '',
  PROVIDER_PORT,
  PROVIDER_URL = '',
  CALLBACK_PORT,
  CALLBACK_URL = '',
  PAYMENTS_PORT,
} = process.env;
/** Longer bodies, such as statements, are truncated. */
const KEPT_CHARACTERS = 20_000;

const record = await openRecord(RECORD_FILE);
const agent = new Agent({ keepAlive: true });
let exchanges = 0;

interface Passed {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Forwards a request. Rejects if the target closes the connection, or if the caller does. */
async function pass(target: string, incoming: IncomingMessage, body: Buffer, caller: ServerResponse): Promise<Passed> {
  const { method, url = '/', headers } = incoming;
  const outgoing = request(new URL(url, target), { method, headers, agent });
  caller.on('close', () => outgoing.destroy());
  outgoing.end(body);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 502, headers: answer.headers, body: await bodyOf(answer) };
}

const text = (body: Buffer) => body.toString('utf8').slice(0, KEPT_CHARACTERS);

async function recordExchange(kind: string, target: string, incoming: IncomingMessage, answer: ServerResponse) {
  const exchange = ++exchanges;
  const { method, url: path } = incoming;
  try {
    const body = await bodyOf(incoming);
    await record.append({ what: kind, exchange, method, path, body: text(body) });
    const passed = await pass(target, incoming, body, answer);
    await record.append({ what: `${kind} answered`, exchange, status: passed.status, body: text(passed.body) });
    const { 'transfer-encoding': _, connection: __, ...headers } = passed.headers;
    answer.writeHead(passed.status, headers).end(passed.body);
  } catch (error) {
    await record.append({ what: `${kind} broken`, exchange, reason: String(error) });
    // Resets the connection, as the caller would see it without the recorder.
    incoming.socket.resetAndDestroy();
  }
}

async function recordPayments(incoming: IncomingMessage, answer: ServerResponse) {
  const payments = JSON.parse((await bodyOf(incoming)).toString('utf8')) as object[];
  await Promise.all(payments.map((payment) => record.append({ what: 'payment', ...payment })));
  answer.writeHead(204).end();
}

function listen(port: string | undefined, take: (incoming: IncomingMessage, answer: ServerResponse) => Promise<void>) {
  const server = createServer((incoming, answer) => {
    take(incoming, answer).catch(() => incoming.socket.destroy());
  });
  // Longer than callers keep idle connections, so that they never send on one that this server is closing.
  server.keepAliveTimeout = 120_000;
  server.listen(Number(port), '127.0.0.1');
}

listen(PROVIDER_PORT, (incoming, answer) => recordExchange('request', PROVIDER_URL, incoming, answer));
listen(CALLBACK_PORT, (incoming, answer) => recordExchange('callback', CALLBACK_URL, incoming, answer));
listen(PAYMENTS_PORT, recordPayments);
// Ends with the proof, even if the proof crashes.
process.on('disconnect', () => process.exit());
