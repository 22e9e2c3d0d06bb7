import type { Logger } from '@vuka/service-kit/logger';

/**
 * Warns if a gateway in production trusts no proxy. TLS ends at a proxy, and without its headers every request
 * appears to use plain HTTP, from the proxy's own address.
 */
export function warnWithoutProxy(
  settings: { NODE_ENV: string; VUKA_TRUST_PROXY: false | string },
  logger: Pick<Logger, 'warn'>,
): void {
  if (settings.NODE_ENV !== 'production' || settings.VUKA_TRUST_PROXY !== false) return;
  logger.warn(
    'VUKA_TRUST_PROXY is not set: the session cookie is not Secure, and behind a proxy all clients share one rate limit',
  );
}
