import type { HttpAppOptions } from '@vuka/service-kit/http-app';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import type { OrderGate } from '#guards/order-gate.ts';
import type { RateLimits } from '#guards/rate-limits.ts';
import type { Sessions } from '#guards/sessions.ts';

type ServiceName = 'identity' | 'wallet' | 'transfers' | 'transfersWorker' | 'rates' | 'admin' | 'integrationLog';

/** The dependencies of the public API's routes. */
export interface ApiDeps {
  sessions: Sessions;
  limits: RateLimits;
  orderGate: OrderGate;
  services: Record<ServiceName, ServiceClient>;
  /** A second client for identity: it delays some sign-ins, and signed-in users must not wait behind them. */
  signIns: ServiceClient;
  /** A third, for lists of merchants: a slow one must not count as an outage of identity. */
  merchantLists: ServiceClient;
  /** The gateway's own readiness checks. */
  checks: HttpAppOptions['checks'];
}
