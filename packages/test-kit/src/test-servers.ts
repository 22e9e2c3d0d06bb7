/** The servers that tests use; started at the first wish, shared by the run, gone after it. */
export interface TestServers {
  postgres: { url: string };
  rabbitmq: { amqpUrl: string; managementUrl: string };
}

/** The variable by which the global setup tells tests, and processes that they start, where to ask. */
export const TEST_SERVERS_VARIABLE = 'VUKA_TEST_SERVERS';

/** The address of a shared server, starting it where this is the first to ask. Throws where none can be had. */
export async function askForServer<Name extends keyof TestServers>(name: Name): Promise<TestServers[Name]> {
  const address = process.env[TEST_SERVERS_VARIABLE];
  if (!address) throw new Error('There are no test servers: run this test by vitest, in the project "integration"');
  const response = await fetch(`${address}/${name}`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as TestServers[Name];
}
