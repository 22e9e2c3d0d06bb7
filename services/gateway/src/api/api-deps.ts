import type { HttpAppOptions } from '@vuka/service-kit/http-app';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import type { OrderDoor } from '#access/order-door.ts';
import type { RateLimits } from '#access/rate-limits.ts';
import type { Sessions } from '#access/sessions.ts';

type ServiceName = 'identity' | 'wallet' | 'transfers' | 'transfersWorker' | 'rates' | 'admin' | 'integrationLog';

/** What the routes of the public API are made of. */
export interface ApiDeps {
  sessions: Sessions;
  limits: RateLimits;
  orderDoor: OrderDoor;
  services: Record<ServiceName, ServiceClient>;
  /** Identity once more: it slows some sign-ins down, and whoever is signed in does not wait behind them. */
  signIns: ServiceClient;
  /** What the gateway itself needs to be ready. */
  checks: HttpAppOptions['checks'];
}
