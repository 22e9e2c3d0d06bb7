import { queryOptions, useQuery } from '@tanstack/react-query';
import { SavedRecipient, SavedRecipients } from '@vuka/contracts/http/recipients';
import { callApi, sendRequest } from '#shared/api-client.ts';

export const RECIPIENTS_KEY = ['/api/recipients'] as const;

/** The numbers that the user saved under a name. They are optional: a failure to load them is not shown. */
export function recipientsQuery() {
  return queryOptions({
    queryKey: RECIPIENTS_KEY,
    queryFn: async ({ signal }) => (await callApi('/api/recipients', SavedRecipients, { signal })).recipients,
    meta: { silent: true },
  });
}

/** The name under which the user saved a number; undefined for other numbers. */
export function useSavedName(phone: string | undefined): string | undefined {
  return useQuery(recipientsQuery()).data?.find((recipient) => recipient.phone === phone)?.label;
}

function pathOf(phone: string): string {
  return `/api/recipients/${encodeURIComponent(phone)}`;
}

/** Saves a number under a name, or renames it. */
export function saveRecipient({ phone, label }: SavedRecipient): Promise<SavedRecipient> {
  return callApi(pathOf(phone), SavedRecipient, { method: 'PUT', body: { label } });
}

export async function forgetRecipient(phone: string): Promise<void> {
  await sendRequest(pathOf(phone), { method: 'DELETE' });
}
