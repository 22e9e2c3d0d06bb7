import { ExportedPerson } from '@vuka/contracts/http/account-export';
import { dayOf } from '@vuka/contracts/http/days';
import { OwnLimits } from '@vuka/contracts/http/limits';
import {
  ExportedLinkedAccounts,
  ExportedMessages,
  ExportedTransfers,
  ExportedWithdrawals,
  PagedRecords,
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
  const [{ messages, nextCursor = null, ...records }, limits, linked, { wallets }] = await Promise.all([
    services.admin.get(`/internal/accounts/${userId}/records?paged=true`, PagedRecords, { caller }),
    services.transfers.get(limitsPath, OwnLimits, { caller }),
    services.transfers.get(`/internal/accounts/${userId}/linked-accounts`, ExportedLinkedAccounts, { caller }),
    readWallets(services, userId, { from: BEGINNING, to: dayOf(nowMs) }),
  ]);
  const head = {
    madeAt: new Date(nowMs).toISOString(),
    ...person,
    ...records,
    limits,
    linkedAccounts: linked.accounts,
    wallets,
  };
  return { head, firstMessages: { items: messages, nextCursor } };
}

interface Page {
  items: unknown[];
  nextCursor: string | null;
}

/** The file, piece by piece: the lists of a merchant have any length. `renew` gives a token for the next page. */
export async function* writeExport(
  services: Services,
  { head, firstMessages }: { head: object; firstMessages: Page },
  { userId, renew }: { userId: string; renew: () => Promise<string> },
): AsyncGenerator<string> {
  yield JSON.stringify(head, null, 1).slice(0, -2);
  const lists = [
    { name: 'messages', service: services.admin, schema: ExportedMessages, first: firstMessages },
    { name: 'transfers', service: services.transfers, schema: ExportedTransfers },
    { name: 'withdrawals', service: services.transfers, schema: ExportedWithdrawals },
  ];
  for (const { name, service, schema, first } of lists) {
    yield `,\n "${name}": [`;
    const path = `/internal/accounts/${userId}/${name}`;
    let separator = '';
    let page: Page = first ?? (await service.get(path, schema, { caller: await renew() }));
    for (;;) {
      for (const item of page.items) {
        yield `${separator}\n  ${JSON.stringify(item)}`;
        separator = ',';
      }
      if (page.nextCursor === null) break;
      page = await service.get(`${path}?cursor=${page.nextCursor}`, schema, { caller: await renew() });
    }
    yield ']';
  }
  yield '\n}\n';
}
