import { adminOf } from '@vuka/access/caller';
import { BookedPayouts } from '@vuka/contracts/internal/transfers';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { Db } from '#db/schema.ts';
import { sumPayouts } from './payout.store.ts';
import type { PayoutProvider } from './payout-provider.ts';

/** Payout totals, for the failure lab. */
export function payoutRoutes(app: HttpApp, deps: { db: Db; provider: PayoutProvider }): void {
  const config = { calledBy: ['admin'] };
  app.get('/internal/payout-totals', { config, schema: { response: { 200: BookedPayouts } } }, async (request) => {
    adminOf(request, 'failure-lab.read');
    return { totals: await sumPayouts(deps.db, deps.provider.id) };
  });
}
