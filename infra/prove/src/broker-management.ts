/** Longer than a sound broker takes, ms; one that is suspended does not answer. */
const ANSWERS_WITHIN_MS = 5_000;

/** A call of RabbitMQ's management API, whose address has user and password. Throws if it is refused, or not answered. */
export async function callManagement(
  managementUrl: string,
  path: string,
  method: 'GET' | 'DELETE' = 'GET',
): Promise<Response> {
  const { username, password, origin } = new URL(managementUrl);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
  const response = await fetch(`${origin}${path}`, { method, headers: { authorization }, signal });
  if (!response.ok) throw new Error(`${method} ${path} at the broker: ${response.status}`);
  return response;
}
