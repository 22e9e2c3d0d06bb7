/** The library of passkeys, loaded by the first request about one: it is a sixth of what a start would load. */
export const webauthn = () => import('@simplewebauthn/server');
export const webauthnHelpers = () => import('@simplewebauthn/server/helpers');
