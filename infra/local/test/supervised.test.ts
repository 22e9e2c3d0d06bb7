import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@vuka/embedded-postgres/free-port';
import { until } from '@vuka/test-kit/until';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLog, type ServiceLog } from '#logs.ts';
import { type Supervised, supervise } from '#supervised.ts';

const SERVICE = `
import { createServer } from 'node:http';
let looks = 0;
createServer((request, response) => {
  if (request.url === '/health/live') looks += 1;
  response.end(String(looks));
}).listen(Number(process.env.PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
process.once('disconnect', () => process.exit(0));
`;

let dir: string;
let log: ServiceLog;
let service: Supervised;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'vuka-supervised-'));
  log = await openLog(dir, 'bakery', () => undefined);
});
afterEach(async () => {
  await service.stop(2_000);
  await log.close();
  await rm(dir, { recursive: true, force: true });
});

test('a service that lives and no longer answers is killed and started again', async () => {
  const script = join(dir, 'service.mjs');
  await writeFile(script, SERVICE);
  const port = await findFreePort();
  const said: string[] = [];
  service = supervise({
    plan: { name: 'bakery', script, env: { PORT: String(port) }, isHot: false, stopsAt: 1, port },
    env: process.env,
    log,
    hungAfterMs: 1_200,
    onStart: () => undefined,
    onHung: () => said.push('hung'),
    onEnd: (how) => said.push(how),
  });
  const looks = () =>
    fetch(`http://127.0.0.1:${port}`).then(
      async (answer) => Number(await answer.text()),
      () => 0,
    );
  // A process that never answered is still starting.
  await until(async () => (await looks()) > 0, { timeoutMs: 10_000 });
  const first = service.pid();
  process.kill(first ?? 0, 'SIGSTOP');
  const isAnother = () => service.pid() !== undefined && service.pid() !== first;
  await until(async () => isAnother() && (await looks()) > 0, { timeoutMs: 20_000 });
  expect(said).toEqual(['hung', 'was ended by SIGKILL']);
});
