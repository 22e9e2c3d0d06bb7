/** What an administrator's retry led to. */
export const RETRY_RESULTS = {
  superseded: 'superseded',
  transfer_missing: 'the transfer does not exist',
  postponed: 'postponed: a required service is unavailable',
  waiting_for_provider: 'still waiting for the provider',
  ended: 'ended as {status}',
} as const;
