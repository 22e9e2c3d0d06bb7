import {
  AccountHolder,
  ContactLookups,
  ContactResults,
  RecipientLookups,
  RecipientResults,
} from '@vuka/contracts/internal/identity';
import { AppError } from '@vuka/service-kit/app-error';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Db } from '#db/schema.ts';
import { tierOf } from './tier.domain.ts';
import { selectUsers } from './user.store.ts';

/**
 * Lookups of users by id or phone, for other services. A number has a holder only when one account has verified it; a
 * blocked holder is paid as a phone.
 */
export function directoryRoutes(app: HttpApp, { db, now }: { db: Db; now: () => Date }): void {
  app.get(
    '/internal/account-holders/:id',
    {
      config: { calledBy: ['admin'] },
      schema: { params: z.object({ id: z.string() }), response: { 200: AccountHolder } },
    },
    async (request) => {
      const holder = await selectUsers(db)
        .where((where) =>
          where.or([
            where('merchants.merchant_id', '=', request.params.id),
            where('admins.admin_id', '=', request.params.id),
          ]),
        )
        .where('users.closed_at', 'is', null)
        .executeTakeFirst();
      if (!holder) throw new AppError('merchant_not_found');
      return { userId: holder.id, fullName: holder.full_name, phone: holder.phone, isBlocked: holder.is_blocked };
    },
  );
  app.post(
    '/internal/recipients-batch',
    {
      config: { calledBy: ['gateway', 'transfers'] },
      schema: { body: RecipientLookups, response: { 200: RecipientResults } },
    },
    async (request) => {
      const phones = request.body.items.map((item) => item.phone);
      const holders = await db
        .selectFrom('users')
        .select(['id', 'full_name', 'phone_e164'])
        .select(['phone_verified_at', 'email_verified_at', 'pin_reset_at', 'is_business'])
        .where('phone_e164', '=', sql<string>`any(${phones})`)
        .where('phone_verified_at', 'is not', null)
        .where('is_active', '=', true)
        .where('is_blocked', '=', false)
        .execute();
      const byPhone = new Map(holders.map((holder) => [holder.phone_e164, holder]));
      return {
        results: phones.map((phone) => {
          const holder = byPhone.get(phone);
          return holder ? { userId: holder.id, name: holder.full_name, tier: tierOf(holder, now()) } : null;
        }),
      };
    },
  );
}

/** Users' contact details, for the service that sends messages. */
export function contactRoutes(app: HttpApp, { db }: { db: Db }): void {
  app.post(
    '/internal/contacts-batch',
    { config: { calledBy: ['admin'] }, schema: { body: ContactLookups, response: { 200: ContactResults } } },
    async (request) => {
      const ids = request.body.items.map(({ userId }) => userId);
      const users = await db
        .selectFrom('users')
        .leftJoin('admins', 'admins.user_id', 'users.id')
        .select(['users.id', 'full_name', 'email', 'phone_e164', 'phone_verified_at', 'admins.admin_id'])
        .where('users.id', '=', sql<string>`any(${ids}::uuid[])`)
        .where('closed_at', 'is', null)
        .execute();
      const byId = new Map(users.map((user) => [user.id, user]));
      return {
        results: ids.map((id) => {
          const user = byId.get(id);
          return user
            ? {
                fullName: user.full_name,
                email: user.email,
                phone: user.phone_e164,
                isPhoneVerified: user.phone_verified_at !== null,
                isAdmin: user.admin_id !== null,
              }
            : null;
        }),
      };
    },
  );
}
