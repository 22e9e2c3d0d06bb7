import { readConfig, serviceSettings } from '@vuka/service-kit/config';

/** Only this file reads the environment. */
export const config = () => readConfig(serviceSettings);
