import { callerOf } from '@vuka/access/caller';
import { Ok } from '@vuka/contracts/http/common';
import {
  CodeEntry,
  CodeSent,
  ContactVerification,
  VerificationChannel,
} from '@vuka/contracts/http/contact-verification';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import type { IdentityDeps } from '#deps.ts';
import { confirmContact, readVerification, sendVerificationCode } from './verify-contact.ts';

const Channel = z.object({ channel: VerificationChannel });

export function verificationRoutes(app: HttpApp, deps: IdentityDeps): void {
  app.get('/internal/verification', { schema: { response: { 200: ContactVerification } } }, async (request) =>
    readVerification(deps, callerOf(request).userId),
  );
  app.post(
    '/internal/verification/:channel/send',
    { schema: { params: Channel, response: { 200: CodeSent } } },
    async (request) => {
      const { userId, address } = callerOf(request);
      const sent = await sendVerificationCode(deps, { userId, channel: request.params.channel, address });
      deps.kickRelay();
      return sent;
    },
  );
  app.post(
    '/internal/verification/:channel/confirm',
    { schema: { params: Channel, body: CodeEntry, response: { 200: Ok } } },
    async (request) => {
      const { userId } = callerOf(request);
      await confirmContact(deps, { userId, channel: request.params.channel, entered: request.body.code });
      return { ok: true as const };
    },
  );
}
