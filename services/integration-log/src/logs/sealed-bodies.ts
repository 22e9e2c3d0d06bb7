import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import type { Keyring } from '@vuka/service-kit/keyring';
import { createSealedRows, type SealedRows } from '@vuka/service-kit/sealed-rows';
import { sql } from 'kysely';
import type { LogRow } from '#db/schema.ts';

/** The encrypted part of a call: its bodies, which contain phone numbers and amounts. */
type Bodies = Pick<IntegrationLog, 'requestBody' | 'responseBody'>;

export type SealedBodies = SealedRows<LogRow, Bodies>;

export function createSealedBodies(keyring: Keyring): SealedBodies {
  return createSealedRows<LogRow, Bodies>(
    {
      table: 'integration_logs',
      key: ['id'],
      clear: ({ request_body, response_body }) => ({ requestBody: request_body, responseBody: response_body }),
      erase: sql`request_body = null, response_body = null`,
    },
    keyring,
  );
}
