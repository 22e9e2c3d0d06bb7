import * as z from 'zod/mini';
import { IntegrationLog } from '../http/integration-logs.ts';

export const CALLS_RECORDED = 'integration.calls-recorded.v1';

/** Calls to and callbacks from providers, secrets masked. One message carries everything that one commit recorded. */
export const CallsRecorded = z.object({ calls: z.array(IntegrationLog).check(z.minLength(1)) });
export type CallsRecorded = z.infer<typeof CallsRecorded>;
