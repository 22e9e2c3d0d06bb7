/** Whom passkeys are for: the name that they are bound to, and the address of the pages that may use them. */
export interface RelyingParty {
  id: string;
  origin: string;
}

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

/**
 * The web app's own address. Only in a demonstration on this machine, whose address has no name, the browser's
 * `localhost`. Undefined where passkeys cannot work: they need a name (WebAuthn, section 5.1.3).
 */
export function relyingParty(publicUrl: string, browserOrigin: string | undefined): RelyingParty | undefined {
  const own = new URL(publicUrl);
  if (!LOOPBACK.has(own.hostname)) {
    const isAddress = own.hostname.startsWith('[') || /^[\d.]+$/.test(own.hostname);
    return isAddress ? undefined : { id: own.hostname, origin: own.origin };
  }
  const origin = URL.canParse(browserOrigin ?? '') ? new URL(browserOrigin ?? '') : undefined;
  return origin?.hostname === 'localhost' ? { id: 'localhost', origin: origin.origin } : undefined;
}

/** An address of the same web app at which passkeys work; for the text of a refusal. */
export function passkeyAddress(publicUrl: string): string {
  const own = new URL(publicUrl);
  if (LOOPBACK.has(own.hostname)) own.hostname = 'localhost';
  return own.origin;
}
