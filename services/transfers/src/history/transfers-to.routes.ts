import { adminOf } from '@vuka/access/caller';
import { TransfersToQuery } from '@vuka/contracts/http/transfers-to';
import { TransferPage } from '@vuka/contracts/internal/transfers';
import { wholePhones } from '@vuka/money/whole-phones';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { cutPage } from '@vuka/service-kit/page';
import type { TransferReader } from './list-transfers.ts';
import { toListItem } from './transfer.view.ts';
import { transfersTo } from './transfers-to.ts';

/** The largest number of transfer ids that an entry of the audit trail lists. */
const MOST_NAMED = 20;

/** The transfers to a phone number, for administrators. */
export function transfersToRoutes(app: HttpApp, { db, noteReading }: TransferReader): void {
  app.get(
    '/internal/transfers-to',
    { schema: { querystring: TransfersToQuery, response: { 200: TransferPage } } },
    async (request) => {
      const caller = adminOf(request, 'recovery.read');
      const { recipient, limit, cursor } = request.query;
      const phones = wholePhones(recipient);
      const { rows: found } = await transfersTo({ phones, limit, cursor }).execute(db);
      const { rows, nextCursor } = cutPage(found, limit, ({ id }) => id);
      const items = rows.map((row) => toListItem(row, caller.userId));
      // The searched number is not recorded, just as the text of a merchant search is not.
      await noteReading({
        caller,
        action: 'transfers.searched',
        subject: { kind: 'transfer', id: 'transfers' },
        after: { shown: items.length, found: items.slice(0, MOST_NAMED).map(({ id }) => id) },
        what: JSON.stringify([phones, cursor, limit]),
      });
      return { items, nextCursor };
    },
  );
}
