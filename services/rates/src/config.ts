import { readConfig, serviceSettings } from '@vuka/service-kit/config';
import * as z from 'zod/mini';

/** Only this file reads the environment. */
export const config = () => readConfig({ ...serviceSettings, IDENTITY_URL: z.url() });
