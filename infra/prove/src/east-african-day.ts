const EAST_AFRICA_MS = 3 * 3_600_000;

/** The day in East Africa, such as 2026-11-30, of a moment in ms. */
export const eastAfricanDay = (atMs: number): string => new Date(atMs + EAST_AFRICA_MS).toISOString().slice(0, 10);
