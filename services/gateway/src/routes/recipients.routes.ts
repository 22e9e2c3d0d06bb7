import { Ok } from '@vuka/contracts/http/common';
import { RecipientAddress, RecipientName, SavedRecipient, SavedRecipients } from '@vuka/contracts/http/recipients';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ApiDeps } from '#api/api-deps.ts';

/** The user's own address book. */
export function recipientRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  const tags = ['recipients'];
  app.get(
    '/api/recipients',
    { schema: { tags, summary: 'Saved recipients, by name', response: { 200: SavedRecipients } } },
    async (request) => {
      const { callerToken } = await sessions.require(request);
      return services.identity.get('/internal/saved-recipients', SavedRecipients, { caller: callerToken });
    },
  );
  app.put(
    '/api/recipients/:phone',
    {
      schema: {
        tags,
        summary: 'Save or rename a recipient',
        params: RecipientAddress,
        body: RecipientName,
        response: { 200: SavedRecipient },
      },
    },
    async (request) => {
      const { callerToken } = await sessions.require(request);
      const body = { ...request.params, ...request.body };
      return services.identity.post('/internal/saved-recipients/save', body, SavedRecipient, { caller: callerToken });
    },
  );
  app.delete(
    '/api/recipients/:phone',
    { schema: { tags, summary: 'Delete a recipient', params: RecipientAddress, response: { 200: Ok } } },
    async (request) => {
      const { callerToken } = await sessions.require(request);
      return services.identity.post('/internal/saved-recipients/forget', request.params, Ok, { caller: callerToken });
    },
  );
}
