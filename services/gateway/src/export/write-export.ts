import { ExportedPerson, ExportedRecords } from '@vuka/contracts/http/account-export';
import { dayOf } from '@vuka/contracts/http/days';
import { OwnLimits } from '@vuka/contracts/http/limits';
import {
  ExportedLinkedAccounts,
  ExportedTransfers,
  ExportedWithdrawals,
} from '@vuka/contracts/internal/account-export';
import type { ApiDeps } from '#api/api-deps.ts';
import { readWallets } from '#statements/read-statement.ts';

type Services = ApiDeps['services'];

interface Account {
  userId: string;
  /** The caller's token; it lives a minute, so that later pages need a new one. */
  caller: string;
  isOwn: boolean;
}

/** Before the first transfer of anybody. */
const BEGINNING = '2020-01-01';

/** Everything but the long lists; read before the answer begins, so that an unavailable service is a clear error. */
export async function readExportHead(services: Services, account: Account) {
  const { userId, caller, isOwn } = account;
  const person = await services.identity.post('/internal/accounts/export', { userId }, ExportedPerson, { caller });
  const limitsPath = isOwn
    ? '/internal/limits'
    : `/internal/limits/of-user?userId=${userId}&tier=${person.profile.tier}`;
  const nowMs = Date.now();
  const [records, limits, linked, { wallets }] = await Promise.all([
    services.admin.get(`/internal/accounts/${userId}/records`, ExportedRecords, { caller }),
    services.transfers.get(limitsPath, OwnLimits, { caller }),
    services.transfers.get(`/internal/accounts/${userId}/linked-accounts`, ExportedLinkedAccounts, { caller }),
    readWallets(services, userId, { from: BEGINNING, to: dayOf(nowMs) }),
  ]);
  return {
    madeAt: new Date(nowMs).toISOString(),
    ...person,
    ...records,
    limits,
    linkedAccounts: linked.accounts,
    wallets,
  };
}

/** The file, piece by piece: a merchant may have any number of transfers. `renew` gives a token for the next page. */
export async function* writeExport(
  services: Services,
  head: object,
  { userId, renew }: { userId: string; renew: () => Promise<string> },
): AsyncGenerator<string> {
  yield JSON.stringify(head, null, 1).slice(0, -2);
  const lists = { transfers: ExportedTransfers, withdrawals: ExportedWithdrawals };
  for (const [name, schema] of Object.entries(lists)) {
    yield `,\n "${name}": [`;
    let separator = '';
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = cursor ? `?cursor=${cursor}` : '';
      const path = `/internal/accounts/${userId}/${name}${query}`;
      const page: { items: unknown[]; nextCursor: string | null } = await services.transfers.get(path, schema, {
        caller: await renew(),
      });
      for (const item of page.items) {
        yield `${separator}\n  ${JSON.stringify(item)}`;
        separator = ',';
      }
      cursor = page.nextCursor;
    }
    yield ']';
  }
  yield '\n}\n';
}
