import { readConfig, serviceSettings } from '@vuka/service-kit/config';

/** The only place that reads the environment. */
export const config = () => readConfig(serviceSettings);
