import type { CodeSent, ContactVerification } from '@vuka/contracts/http/contact-verification';
import type { SessionList } from '@vuka/contracts/http/sessions';
import { HttpResponse, http } from 'msw';
import type * as z from 'zod/mini';
import { fixedId } from './fixtures.ts';
import type { LimitWorld } from './limit-handlers.ts';

const ADDRESS = '102.68.77.14';
const sessions: z.infer<typeof SessionList>['sessions'] = [
  {
    id: fixedId(8801),
    userAgent:
      'Mozilla/5.0 (Linux; Android 13) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    address: ADDRESS,
    signedInAt: '2026-01-12T05:00:00.000Z',
    lastSeenAt: '2026-01-12T06:29:00.000Z',
    isCurrent: true,
  },
];

/** The contacts and the sessions of the security page. */
export function securityHandlers(world: LimitWorld) {
  return [
    http.get('*/api/verification', () =>
      HttpResponse.json<z.infer<typeof ContactVerification>>({
        phone: { value: '+254712345678', isVerified: true },
        email: { value: 'amina@example.com', isVerified: world.ownLimits.tier !== 'unverified' },
      }),
    ),
    http.post('*/api/account/close-code', () =>
      HttpResponse.json<CodeSent>({
        sentTo: '+254712345678',
        expiresAt: '2026-01-12T12:16:00.000Z',
        demoCode: '482913',
      }),
    ),
    http.get('*/api/sessions', () => HttpResponse.json<z.infer<typeof SessionList>>({ sessions })),
  ];
}
