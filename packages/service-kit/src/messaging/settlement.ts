const LONGEST_REASON = 500;

/** Why a handler failed, short enough for a header. */
export function describeFailure(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.slice(0, LONGEST_REASON);
}
