import { randomBytes } from 'node:crypto';
import { askForServer } from './test-servers.ts';

export interface TestVhost {
  amqpUrl: string;
  name: string;
  /** The management API's address with an administrator's credentials. */
  managementUrl: string;
  /** Calls the management API of the broker, such as `/api/connections`. */
  management(method: string, path: string, body?: unknown): Promise<unknown>;
  drop(): Promise<void>;
}

/** Creates an empty virtual host on the shared broker, one per suite, so that suites can run in parallel. */
export async function createTestVhost(name = 'suite'): Promise<TestVhost> {
  const { amqpUrl: serverUrl, managementUrl } = await askForServer('rabbitmq');
  const vhost = `vuka-test-${name.replace(/\W+/g, '-').toLowerCase()}-${randomBytes(5).toString('hex')}`;
  const management = createManagementClient(managementUrl);
  const { username } = new URL(serverUrl);
  await management('PUT', `/api/vhosts/${vhost}`, {});
  await management('PUT', `/api/permissions/${vhost}/${username}`, { configure: '.*', write: '.*', read: '.*' });
  const url = new URL(serverUrl);
  url.pathname = `/${vhost}`;
  return {
    amqpUrl: url.toString(),
    name: vhost,
    managementUrl,
    management,
    drop: async () => void (await management('DELETE', `/api/vhosts/${vhost}`)),
  };
}

function createManagementClient(managementUrl: string) {
  const { origin, username, password } = new URL(managementUrl);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  return async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} at the broker: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}
