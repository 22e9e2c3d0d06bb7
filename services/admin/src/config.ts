import { readConfig, serviceSettings } from '@vuka/service-kit/config';
import * as z from 'zod/mini';

/** The only place that reads the environment. */
export const config = () => readConfig({ ...serviceSettings, IDENTITY_URL: z.url(), TRANSFERS_URL: z.url() });
