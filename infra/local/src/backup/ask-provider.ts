import { parseMoney } from '@vuka/money';
import { type FoundException, reconcileRestored } from '@vuka/transfers/reconcile-restored';
import { readSecrets } from '#secrets.ts';
import type { Settings } from '#start-settings.ts';
import type { LaterFact } from './later-facts.ts';

/** A server as its superuser, and the moment to which its books were restored. */
export interface RestoredBooks {
  serverUrl: string;
  databasePrefix: string;
  since: Date;
}

/**
 * Compares the restored books with the provider's statements. Payments that are missing from the books become
 * exceptions for an administrator, and are listed. No money moves.
 */
export async function askProvider(
  { serverUrl, databasePrefix, since }: RestoredBooks,
  { settings, requestedBy }: { settings: Settings; requestedBy: string },
  say: (line: string) => void,
): Promise<LaterFact[]> {
  const { providerUrl } = settings;
  if (!providerUrl) {
    say('Payouts go to the simulator, whose books were restored with ours: there is no provider to ask.');
    return [];
  }
  const url = new URL(serverUrl);
  url.pathname = `/${databasePrefix}_transfers`;
  const statementLagMs = Number(settings.env.VUKA_STATEMENT_LAG_SECONDS || '3600') * 1_000;
  try {
    const { providerToken: token } = await readSecrets(settings.dataDir, settings.env);
    const provider = { baseUrl: providerUrl, token };
    const books = { databaseUrl: url.toString(), since, requestedBy };
    const found = await reconcileRestored({ ...books, provider, statementLagMs, say });
    return found.map((exception) => toFact(exception, since));
  } catch (error) {
    say(`The provider could not be asked (${(error as Error).message}): reconcile each day in the admin area.`);
    return [];
  }
}

function toFact({ kind, payoutId, theirs }: FoundException, since: Date): LaterFact {
  return {
    kind: `provider: ${kind}`,
    id: payoutId,
    at: new Date(theirs?.recordedAt ?? since),
    amountMinor: theirs?.amount ? parseMoney(theirs.amount) : null,
    currency: theirs?.currency ?? '',
    statusThen: 'on the statement',
    statusNow: '',
    transaction: '',
    detail: `to ${theirs?.msisdn ?? 'an unknown number'}`,
    entry: '',
    action: '',
  };
}
