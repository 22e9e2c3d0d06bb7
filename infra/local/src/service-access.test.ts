import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SERVICES, testTokens } from '@vuka/access/testing/test-tokens';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { createLogger } from '@vuka/service-kit/logger';
import { SERVICE_HEADER } from '@vuka/service-kit/service-tokens';
import { expect, test } from 'vitest';
import { ROOT } from './start-settings.ts';

/** Routes that not only the gateway may call. Each line widens what a stolen key of the named services can do. */
const NOT_FOR_THE_GATEWAY_ALONE: Record<string, string[]> = {
  'POST identity/internal/recipients-batch': ['gateway', 'transfers'],
  'GET identity/internal/account-holders/:id': ['admin'],
  'GET identity/internal/accounts/:userId/state': ['transfers'],
  'POST identity/internal/contacts-batch': ['admin'],
  'POST identity/internal/codes-batch': ['admin'],
  'GET identity/internal/administrators/:id/now': ['transfers', 'rates', 'admin'],
  'POST wallet/internal/balances-batch': ['gateway', 'transfers'],
  'POST wallet/internal/commands-batch': ['transfers'],
  'GET wallet/internal/commands/possible': ['transfers'],
  'POST wallet/internal/adjustments': ['admin'],
  'GET wallet/internal/operator-accounts': ['transfers'],
  'GET rates/internal/pricing': ['gateway', 'transfers'],
  'GET rates/internal/fees-in-force': ['transfers'],
  'POST transfers/internal/deposits': ['admin'],
  'GET transfers/internal/deposits/possible': ['admin'],
  'GET transfers/internal/payout-totals': ['admin'],
};

interface Route {
  method: 'GET' | 'POST';
  url: string;
}

/** The app of a service without its dependencies, and its internal routes. */
async function build(service: string): Promise<{ app: HttpApp; routes: Route[] }> {
  const path = pathToFileURL(join(ROOT, 'services', service, 'src/app.ts')).href;
  const { buildApp } = (await import(path)) as { buildApp: (deps: unknown) => HttpApp };
  const logger = createLogger({ service: 'access-test', level: 'silent' });
  const app = buildApp({ logger, tokens: testTokens(service), checks: {} });
  const listed = app.printRoutes({ commonPrefix: false, includeHooks: false });
  return { app, routes: routesIn(listed) };
}

/** The tree that Fastify prints, as a list. */
function routesIn(tree: string): Route[] {
  const parts: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] = /^([│ ]*)[├└]── (\S*)(?: \((.+)\))?$/.exec(line) ?? [];
    if (!part) return [];
    const depth = indent.length / 4;
    parts.splice(depth, Number.POSITIVE_INFINITY, part);
    const url = parts.join('');
    if (!methods || !url.startsWith('/internal/')) return [];
    return methods.split(', ').flatMap((method) => (method === 'GET' || method === 'POST' ? [{ method, url }] : []));
  });
}

const called = SERVICES.filter((service) => service !== 'gateway');

test.each(called)(
  'each internal route of %s is open to the services that need it, and to no other',
  async (service) => {
    const { app, routes } = await build(service);
    expect(routes.length).toBeGreaterThan(1);
    for (const { method, url } of routes) {
      const open: string[] = [];
      for (const caller of [...SERVICES, undefined]) {
        const headers = caller ? { [SERVICE_HEADER]: await testTokens(caller).tokenFor(service) } : {};
        const response = await app.inject({ method, url: url.replaceAll(/:\w+/g, 'x'), headers });
        if (!(response.statusCode === 403 && response.json().reason === 'not_a_service')) open.push(caller ?? 'anyone');
      }
      const name = `${method} ${service}${url}`;
      expect(open, name).toEqual(NOT_FOR_THE_GATEWAY_ALONE[name] ?? ['gateway']);
    }
    const listed = Object.keys(NOT_FOR_THE_GATEWAY_ALONE).filter((name) =>
      name.split(' ')[1]?.startsWith(`${service}/`),
    );
    expect(routes.map(({ method, url }) => `${method} ${service}${url}`)).toEqual(expect.arrayContaining(listed));
  },
);
