import type { Keyring } from '@vuka/service-kit/keyring';
import { createSealedRows, type SealedRows } from '@vuka/service-kit/sealed-rows';
import { sql } from 'kysely';
import type { SessionRow } from '#db/schema.ts';

/** Where a session was opened. */
interface Origin {
  address: string;
  userAgent: string;
}

type OriginRow = Pick<SessionRow, 'id' | 'address' | 'user_agent' | 'sealed'>;
export type SealedOrigins = SealedRows<OriginRow, Origin>;

export function createSealedOrigins(keyring: Keyring): SealedOrigins {
  return createSealedRows<OriginRow, Origin>(
    {
      table: 'sessions',
      key: ['id'],
      clear: ({ address, user_agent }) => ({ address, userAgent: user_agent }),
      erase: sql`address = '', user_agent = ''`,
    },
    keyring,
  );
}
