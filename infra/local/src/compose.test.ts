import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { fillIn } from '#env-file.ts';
import { ROOT } from '#start-settings.ts';

interface Compose {
  services: Record<string, { command?: string[]; environment?: Record<string, string>; mem_limit?: string }>;
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const compose = parse(read('infra/docker-compose.yml'), { merge: true }) as Compose;
const example = read('.env.example');
/** The `.env` that `npm run env` writes. */
const env = Object.fromEntries(
  [...fillIn(example).matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
);
const services = Object.entries(compose.services).flatMap(([name, { command = [], environment = {} }]) => {
  const script = command[1] ?? '';
  return /src\/(main|worker)\.ts$/.test(script) ? [{ name, script, environment }] : [];
});
const configOf = (script: string) => script.replace(/(main|worker)\.ts$/, 'config.ts');
const settingsIn = (path: string) =>
  [...read(path).matchAll(/(?<![.\w])([A-Z][A-Z_]+):/g)].map(([, name]) => name ?? '');
const shared = settingsIn('packages/service-kit/src/config.ts');

const code = globSync('{services,packages}/*/src/**/*.ts', { cwd: ROOT }).map(read).join('\n');
/** Every metric of the services, and the one that backups write for node-exporter. */
const figuresInCode = new Set(
  [
    ...code.matchAll(/(?:counter|gauges?|histogram)\(\s*'(vuka_\w+)'/g),
    ...read('infra/local/src/backup/backup-figure.ts').matchAll(/`(vuka_\w+) /g),
  ].map(([, name]) => name ?? ''),
);

function expectFigures(expr: string, where: string): void {
  const names = [...expr.matchAll(/vuka_\w+/g)].map(([name]) => name.replace(/_(count|bucket)$/, ''));
  for (const name of names) expect(figuresInCode, where).toContain(name);
}

function interpolate(value: string): string {
  return value.replace(/\$\{([A-Z_]+)(:\?|:-([^}]*))?\}/g, (_, name: string, kind: string, fallback: string) => {
    if (kind === ':?') expect(env, `${name} is required, so .env.example names it`).toHaveProperty(name);
    return env[name] ?? fallback;
  });
}

afterEach(() => vi.unstubAllEnvs());

test('there is a container for every service, and for the worker', () => {
  expect(services.map(({ name }) => name).sort()).toEqual(
    [
      'admin',
      'gateway',
      'identity',
      'integration-log',
      'payout-simulator',
      'rates',
      'transfers',
      'transfers-worker',
      'wallet',
    ].sort(),
  );
});

test.each(services)('$name gets every setting that it requires, and none that it does not read', async (service) => {
  const known = [...settingsIn(configOf(service.script)), ...shared];
  for (const [name, value] of Object.entries(service.environment)) {
    expect(known).toContain(name);
    vi.stubEnv(name, interpolate(value));
  }
  const configs = (await import(pathToFileURL(join(ROOT, configOf(service.script))).href)) as {
    config: () => Record<string, unknown>;
    workerConfig?: () => Record<string, unknown>;
  };
  const settings = service.script.endsWith('worker.ts') ? configs.workerConfig?.() : configs.config();
  expect(settings?.PORT).toBe(3000);
});

test('the worker, which signs no receipts, does not get their key', () => {
  const having = services.filter(({ environment }) => 'VUKA_RECEIPT_KEY' in environment).map(({ name }) => name);
  expect(having).toEqual(['transfers']);
});

test('only the process that migrates the ledger, which ends before the wallet starts, knows its owner', () => {
  const having = Object.entries(compose.services).filter(([, { environment = {} }]) =>
    Object.values(environment).some((value) => String(value).includes('POSTGRES_PASSWORD_WALLET_OWNER')),
  );
  expect(having.map(([name]) => name).sort()).toEqual(['postgres', 'wallet-migrations']);
});

test('every alert watches an existing metric, has a severity, and is named in its runbook', () => {
  const { groups } = parse(read('infra/observability/alerts.yml')) as {
    groups: {
      rules: {
        alert: string;
        expr: string;
        labels?: { severity?: string };
        annotations: { summary: string; runbook?: string };
      }[];
    }[];
  };
  const rules = groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(5);
  for (const { alert, expr, labels, annotations } of rules) {
    expect(annotations.summary, alert).toBeTruthy();
    expect(['page', 'ticket'], alert).toContain(labels?.severity);
    const runbook = annotations.runbook ?? '';
    expect(existsSync(join(ROOT, runbook)) && runbook.endsWith('.md'), `${alert}: ${runbook}`).toBe(true);
    expect(read(runbook), `${runbook} names ${alert}`).toContain(`\`${alert}\``);
    expectFigures(expr, alert);
  }
});

test('the actions with alerts are exactly those whose count starts at 0', async () => {
  const path = join(ROOT, 'services/admin/src/audit-trail/count-actions.ts');
  const { ALERTED_ACTIONS } = (await import(pathToFileURL(path).href)) as { ALERTED_ACTIONS: string[] };
  const selectors = [
    ...read('infra/observability/alerts.yml').matchAll(/vuka_admin_actions_total\{action=~?"(.+?)"\}/g),
  ];
  const watched = selectors.map(([, regex = '']) => {
    const matching = ALERTED_ACTIONS.filter((action) =>
      new RegExp(`^(?:${regex.replaceAll('\\\\', '\\')})$`).test(action),
    );
    expect(matching, regex).not.toEqual([]);
    return matching;
  });
  expect(watched.flat().sort()).toEqual([...ALERTED_ACTIONS].sort());
});

test('every panel of the dashboard shows an existing metric, and no panels overlap', () => {
  const { panels } = JSON.parse(read('infra/observability/grafana-dashboard.json')) as {
    panels: { title: string; gridPos: { x: number; y: number; w: number; h: number }; targets?: { expr: string }[] }[];
  };
  const taken = new Map<string, string>();
  for (const { title, gridPos, targets = [] } of panels) {
    for (const { expr } of targets) expectFigures(expr, title);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect(taken.get(`${x},${y}`), `${title} overlaps another panel`).toBeUndefined();
        taken.set(`${x},${y}`, title);
      }
    }
    expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
  }
  const shown = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join('\n');
  expect([...figuresInCode].filter((name) => !shown.includes(name))).toEqual([]);
});

test('.env.example names every setting of every service', () => {
  const named = new Set([...example.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name));
  const settings = new Set([...shared, ...services.flatMap(({ script }) => settingsIn(configOf(script)))]);
  expect([...settings].filter((name) => !named.has(name))).toEqual([]);
});

test('the broker blocks publishers well below the memory of its container', () => {
  const [, watermark] =
    /^vm_memory_high_watermark\.absolute = (\d+)MB$/m.exec(read('infra/rabbitmq/rabbitmq.conf')) ?? [];
  const [, limit] = /^(\d+)g$/.exec(compose.services.rabbitmq?.mem_limit ?? '') ?? [];
  expect(Number(watermark)).toBeLessThanOrEqual(Number(limit) * 600);
});
