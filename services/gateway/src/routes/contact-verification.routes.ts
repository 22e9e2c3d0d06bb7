import { Ok } from '@vuka/contracts/http/common';
import {
  CodeEntry,
  CodeSent,
  ContactVerification,
  PinResetForm,
  PinResetRequest,
  PinResetRequested,
  VerificationChannel,
} from '@vuka/contracts/http/contact-verification';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import type { ApiDeps } from '#api/api-deps.ts';
import { browserOf } from '#guards/cookies.ts';

const tags = ['account'];
const Channel = z.object({ channel: VerificationChannel });

/** One-time codes: they verify the user's number and email address, and replace a forgotten PIN. */
export function contactVerificationRoutes(app: HttpApp, { sessions, services, signIns, limits }: ApiDeps): void {
  app.get(
    '/api/verification',
    { schema: { tags, summary: 'Which contacts are verified', response: { 200: ContactVerification } } },
    async (request) => {
      const { caller } = await sessions.require(request);
      return services.identity.get('/internal/verification', ContactVerification, { caller });
    },
  );
  app.post(
    '/api/verification/:channel/send',
    {
      schema: {
        tags,
        summary: 'Send a code to the own number or address',
        params: Channel,
        response: { 200: CodeSent },
      },
      config: limits.registrationOrCode,
    },
    async (request) => {
      const { caller } = await sessions.require(request);
      const path = `/internal/verification/${request.params.channel}/send`;
      return services.identity.post(path, {}, CodeSent, { caller });
    },
  );
  app.post(
    '/api/verification/:channel/confirm',
    {
      schema: { tags, summary: 'Enter the code', params: Channel, body: CodeEntry, response: { 200: Ok } },
      config: limits.registrationOrCode,
    },
    async (request) => {
      const { caller } = await sessions.require(request);
      const path = `/internal/verification/${request.params.channel}/confirm`;
      return services.identity.post(path, request.body, Ok, { caller });
    },
  );
  app.post(
    '/api/pin-reset',
    {
      schema: {
        tags,
        security: [],
        summary: 'Ask for a new PIN: sends a code and a link to an account with both contacts verified',
        body: PinResetRequest,
        response: { 200: PinResetRequested },
      },
      config: limits.registrationOrCode,
    },
    (request) => {
      const body = { ...request.body, browser: browserOf(request) };
      return signIns.post('/internal/pin-reset', body, PinResetRequested);
    },
  );
  app.post(
    '/api/pin-reset/confirm',
    {
      schema: {
        tags,
        security: [],
        summary: 'Choose a new PIN with the link and the code; every session ends',
        body: PinResetForm,
        response: { 200: Ok },
      },
      config: limits.registrationOrCode,
    },
    (request) => signIns.post('/internal/pin-reset/confirm', request.body, Ok),
  );
}
