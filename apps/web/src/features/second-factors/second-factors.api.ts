import { PasskeyOptions, SecondFactor, TotpSecret } from '@vuka/contracts/http/second-factors';
import { callApi, sendRequest } from '#shared/api-client.ts';

const PATH = '/api/admin/second-factors';

/** Lets the browser make a passkey, and adds it. */
export async function addPasskey(name: string): Promise<void> {
  const { options } = await callApi(`${PATH}/passkey/begin`, PasskeyOptions, { method: 'POST', body: {} });
  const { startRegistration } = await import('@simplewebauthn/browser');
  const optionsJSON = options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON'];
  const credential = await startRegistration({ optionsJSON });
  await callApi(`${PATH}/passkey`, SecondFactor, { method: 'POST', body: { name, credential } });
}

export const beginTotp = () => callApi(`${PATH}/totp/begin`, TotpSecret, { method: 'POST', body: {} });

export const addTotp = (body: { name: string; code: string }) =>
  callApi(`${PATH}/totp`, SecondFactor, { method: 'POST', body });

export const removeFactor = (id: string) => sendRequest(`${PATH}/${encodeURIComponent(id)}/remove`, { method: 'POST' });
