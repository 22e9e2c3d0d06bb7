import { ConfigError, isLoopback } from '@vuka/service-kit/config';
import type { Logger } from '@vuka/service-kit/logger';

interface Settings {
  NODE_ENV: string;
  VUKA_PUBLIC_URL?: string | undefined;
  VUKA_TRUST_PROXY: false | string;
}

/**
 * Throws a ConfigError in production, if the web app has a public address without TLS, or one with TLS and no trusted
 * proxy. TLS ends at a proxy: without its headers every request appears to use plain HTTP, from the proxy's own address.
 * Warns without a public address, since only a proxy can be missing there.
 */
export function checkProxy(settings: Settings, logger: Pick<Logger, 'warn'>): void {
  const { NODE_ENV, VUKA_PUBLIC_URL: publicUrl, VUKA_TRUST_PROXY: proxies } = settings;
  if (NODE_ENV !== 'production') return;
  const isPublic = publicUrl !== undefined && !isLoopback(publicUrl);
  if (isPublic && !publicUrl.startsWith('https:')) {
    throw new ConfigError('VUKA_PUBLIC_URL: a public address must begin with https:');
  }
  if (proxies !== false) return;
  const effect = 'the session cookie is not Secure, and behind a proxy all clients share one rate limit';
  if (isPublic) throw new ConfigError(`VUKA_TRUST_PROXY: must name the proxy at which TLS ends; otherwise ${effect}`);
  logger.warn(`VUKA_TRUST_PROXY is not set: ${effect}`);
}
