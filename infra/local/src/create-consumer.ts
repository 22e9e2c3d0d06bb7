import { readArguments } from '@vuka/service-kit/command-line';
import { createBrokerConsumer } from './consumers/broker-consumer.ts';
import { StartError } from './start-settings.ts';

// `npm run consumer:create -- --name warehouse`: a queue of transfer events for another service.

const USAGE = 'Usage: npm run consumer:create -- --name <name>';
const NO_BROKER = `This needs RabbitMQ, and AMQP_URL or AMQP_MANAGEMENT_URL is not set.
The embedded bus has no queues for other programs: they read the transfer feed instead (docs/transfer-feed.md).
With RabbitMQ, set AMQP_URL=amqp://host:5672/vhost and AMQP_MANAGEMENT_URL=http://administrator:password@host:15672.`;

async function main(): Promise<void> {
  const { values } = readArguments(USAGE, { options: { name: { type: 'string', default: '' } } });
  const { AMQP_URL, AMQP_MANAGEMENT_URL } = process.env;
  if (!(AMQP_URL && AMQP_MANAGEMENT_URL)) throw new StartError(NO_BROKER);
  const address = new URL(AMQP_URL);
  const vhost = decodeURIComponent(address.pathname.slice(1)) || '/';
  const { user, password, queue } = await createBrokerConsumer({ management: AMQP_MANAGEMENT_URL, vhost }, values.name);
  address.username = user;
  address.password = password;
  console.log(`AMQP_URL=${address}\nQUEUE=${queue}`);
  console.error('The password is shown only now; a repeat of this command sets a new one.');
}

await main().catch((error: Error) => {
  console.error(error instanceof StartError ? error.message : error);
  process.exitCode = 1;
});
