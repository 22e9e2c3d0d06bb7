import { CodeLookups, CodeResults } from '@vuka/contracts/internal/identity';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { sql } from 'kysely';
import type { Db } from '#db/schema.ts';
import type { OneTimeCodes } from './one-time-codes.ts';

/** The digits of codes, for the service that sends them: no message on the bus contains them. */
export function codeRoutes(app: HttpApp, { db, codes, now }: { db: Db; codes: OneTimeCodes; now: () => Date }): void {
  app.post(
    '/internal/codes-batch',
    { config: { calledBy: ['admin'] }, schema: { body: CodeLookups, response: { 200: CodeResults } } },
    async (request) => {
      const ids = request.body.items.map(({ codeId }) => codeId);
      const rows = await db
        .selectFrom('one_time_codes')
        .innerJoin('users', 'users.id', 'one_time_codes.user_id')
        .select(['one_time_codes.id', 'purpose', 'sent_to', 'users.email'])
        .where('one_time_codes.id', '=', sql<string>`any(${ids}::uuid[])`)
        .where('expires_at', '>', now())
        .execute();
      const byId = new Map(rows.map((row) => [row.id, row]));
      return {
        results: ids.map((id) => {
          const row = byId.get(id);
          if (!row) return null;
          const link = row.purpose === 'reset_pin' ? { email: row.email, token: codes.linkTokenOf(id) } : null;
          return { sentTo: row.sent_to, digits: codes.digitsOf(id), link };
        }),
      };
    },
  );
}
