import type { Administrator, UnlockRequested } from '@vuka/contracts/http/administrators';
import { PinConfirmation } from '@vuka/contracts/http/common';
import { BlockChange } from '@vuka/contracts/http/merchants';
import { reason } from '@vuka/contracts/texts/reason';
import { HttpResponse, http } from 'msw';
import * as z from 'zod/mini';
import { NEEDS_PIN } from './administrator-fixtures.ts';
import { errorAnswer, wrongPin } from './error-answer.ts';
import { admin, PIN } from './fixtures.ts';
import type { World } from './world.ts';

/** The step-up check. Requests that pass it fall through to the next handlers. */
export function stepUpHandlers(world: World) {
  return [
    http.post('*/api/admin/step-up', async ({ request }) => {
      const { pin } = z.parse(PinConfirmation, await request.json());
      world.pinsGiven.push(pin);
      if (pin !== PIN) return wrongPin();
      world.isPinStale = false;
      return HttpResponse.json({ ok: true });
    }),
    http.post('*/api/*', ({ request }) =>
      world.isPinStale && NEEDS_PIN.test(new URL(request.url).pathname)
        ? errorAnswer('step_up_required', reason('pin_not_recent'))
        : undefined,
    ),
  ];
}

export function administratorHandlers(world: World) {
  return [
    http.get('*/api/admin/second-factors', () => HttpResponse.json({ factors: [], isRequired: false })),
    http.get('*/api/admin/administrators', () => HttpResponse.json({ administrators: world.administrators })),
    http.post('*/api/admin/merchants/:id/unlock', ({ params }) => {
      const administrator = world.administrators.find(({ id }) => id === params.id);
      return administrator && unlock(administrator);
    }),
    http.post('*/api/admin/merchants/:id/toggle-block', async ({ params, request }) => {
      const merchant = world.merchants.find(({ id }) => id === params.id);
      if (!merchant) return errorAnswer('not_found', reason('merchant_not_found'));
      const body = z.parse(BlockChange, await request.json().catch(() => undefined));
      merchant.isBlocked = body?.isBlocked ?? !merchant.isBlocked;
      return HttpResponse.json(merchant);
    }),
  ];
}

function unlock(administrator: Administrator) {
  if (administrator.unlockStep === 'request') {
    administrator.unlockStep = 'requested';
    administrator.unlockRequest = {
      requestedBy: { id: admin.id, adminId: 'ADM1', name: admin.fullName },
      requestedAt: '2026-01-12T12:05:00.000Z',
      expiresAt: '2026-01-13T12:05:00.000Z',
    };
    const { unlockRequest } = administrator;
    return HttpResponse.json<z.infer<typeof UnlockRequested>>({ unlockRequest }, { status: 202 });
  }
  Object.assign(administrator, { unlockStep: 'none', unlockRequest: null, lockedUntil: null });
  const { id, fullName, email } = administrator;
  return HttpResponse.json({
    id,
    username: email,
    fullName,
    email,
    phone: '',
    country: 'Kenya',
    defaultCurrency: 'KES',
    merchantId: '',
    isBlocked: false,
    lockedUntil: null,
    createdAt: '2026-01-01T08:00:00.000Z',
  });
}
