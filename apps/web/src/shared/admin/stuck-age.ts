/** From this age on the guidelines recommend a retry. */
export const RETRY_AFTER_MINUTES = 15;
/** From this age on a person has to act: the provider has answered nothing for an hour. */
export const LATE_MINUTES = 60;

/** Whole minutes since a transaction was created. */
export function ageInMinutes(createdAt: string): number {
  return Math.max(0, Math.floor((Date.now() - Date.parse(createdAt)) / 60_000));
}
