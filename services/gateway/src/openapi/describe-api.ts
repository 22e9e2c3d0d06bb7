import { createLogger } from '@vuka/service-kit/logger';
import { type AppDeps, buildApp } from '../app.ts';
import type { Node } from './schema-node.ts';

/** Stands in for dependencies: routes use them only when they are called, and here none is. */
const NEVER_CALLED = new Proxy({}, { get: () => NEVER_CALLED }) as never;

/** The description of the API that the gateway serves, without a running gateway. */
export async function describeApi(): Promise<Node> {
  const deps: AppDeps = {
    apiKeys: NEVER_CALLED,
    checks: {},
    db: NEVER_CALLED,
    feedReader: NEVER_CALLED,
    feedStreams: NEVER_CALLED,
    hub: NEVER_CALLED,
    logger: createLogger({ service: 'gateway', level: 'silent' }),
    rateLimitFactor: 1,
    services: NEVER_CALLED,
    sessions: NEVER_CALLED,
    signIns: NEVER_CALLED,
    merchantLists: NEVER_CALLED,
    trustProxy: false,
    webRoot: '/nowhere',
  };
  const app = await buildApp(deps);
  await app.ready();
  // As JSON, so that it equals what is read from a file.
  return JSON.parse(JSON.stringify(app.swagger()));
}
