/** The servers that tests use: started on first use, shared by the run, stopped after it. */
export interface TestServers {
  postgres: { url: string };
  rabbitmq: { amqpUrl: string; managementUrl: string };
}

/** The variable that tells tests, and the processes they start, the address of the global setup. */
export const TEST_SERVERS_VARIABLE = 'VUKA_TEST_SERVERS';

/** The address of a shared server, which is started on first use. Throws if none is available. */
export async function askForServer<Name extends keyof TestServers>(name: Name): Promise<TestServers[Name]> {
  const address = process.env[TEST_SERVERS_VARIABLE];
  if (!address) throw new Error('There are no test servers: run this test by vitest, in its project');
  const response = await fetch(`${address}/${name}`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as TestServers[Name];
}
