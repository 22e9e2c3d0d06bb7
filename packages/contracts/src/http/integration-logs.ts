import * as z from 'zod/mini';
import { Id, Timestamp } from './common.ts';

/** One call to, or callback from, a provider. Secrets are masked before it is recorded. */
export const IntegrationLog = z.object({
  id: Id,
  transactionId: z.nullable(z.string()),
  moneyTransferId: z.nullable(z.string()),
  provider: z.string(),
  operation: z.string(),
  url: z.string(),
  requestMethod: z.string(),
  requestBody: z.unknown(),
  responseBody: z.unknown(),
  responseStatus: z.nullable(z.int()),
  success: z.boolean(),
  timestamp: Timestamp,
});
export type IntegrationLog = z.infer<typeof IntegrationLog>;

export const IntegrationLogs = z.object({ logs: z.array(IntegrationLog) });
export const IntegrationLogDetail = z.object({ log: IntegrationLog });
