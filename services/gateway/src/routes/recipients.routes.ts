import { Ok } from '@vuka/contracts/http/common';
import {
  RecipientAddress,
  RecipientHolder,
  RecipientName,
  SavedRecipient,
  SavedRecipients,
} from '@vuka/contracts/http/recipients';
import { RecipientResults } from '@vuka/contracts/internal/identity';
import { maskName } from '@vuka/contracts/texts/mask-name';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ApiDeps } from '#api/api-deps.ts';

/** The user's own address book. */
export function recipientRoutes(app: HttpApp, { sessions, services, limits }: ApiDeps): void {
  const tags = ['recipients'];
  app.get(
    '/api/recipients',
    { schema: { tags, summary: 'Saved recipients, by name', response: { 200: SavedRecipients } } },
    async (request) => {
      const { caller } = await sessions.require(request);
      return services.identity.get('/internal/saved-recipients', SavedRecipients, { caller });
    },
  );
  app.get(
    '/api/recipients/:phone/holder',
    {
      schema: {
        tags,
        summary: 'Who holds this number, before paying',
        params: RecipientAddress,
        response: { 200: RecipientHolder },
      },
    },
    async (request) => {
      const { user } = await sessions.require(request);
      limits.allowHolderLookup(user.id);
      const lookup = { items: [request.params] };
      const { results } = await services.identity.post('/internal/recipients-batch', lookup, RecipientResults);
      const [holder] = results;
      // The sender's own number is a cash-out, paid as a phone.
      if (!holder || holder.userId === user.id) return { kind: 'phone' as const, name: null };
      return { kind: 'merchant' as const, name: maskName(holder.name) };
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
      const { caller } = await sessions.require(request);
      const body = { ...request.params, ...request.body };
      return services.identity.post('/internal/saved-recipients/save', body, SavedRecipient, { caller });
    },
  );
  app.delete(
    '/api/recipients/:phone',
    { schema: { tags, summary: 'Delete a recipient', params: RecipientAddress, response: { 200: Ok } } },
    async (request) => {
      const { caller } = await sessions.require(request);
      return services.identity.post('/internal/saved-recipients/forget', request.params, Ok, { caller });
    },
  );
}
