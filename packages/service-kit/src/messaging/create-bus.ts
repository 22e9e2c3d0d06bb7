import { topology } from '@vuka/contracts/topology';
import type { Logger } from 'pino';
import { createEmbeddedBus } from '#messaging/embedded-bus.ts';
import type { MessageBus } from '#messaging/message-bus.ts';
import { createRabbitmqBus } from '#messaging/rabbitmq-bus.ts';

export interface CreateBusOptions {
  /** RabbitMQ's address, if it is used. */
  amqpUrl?: string | undefined;
  /** RabbitMQ's management API, for a service that shows queue figures. */
  managementUrl?: string | undefined;
  /** The database of the embedded bus, used without RabbitMQ. */
  busDatabaseUrl?: string | undefined;
  service: string;
  logger: Logger;
  /** Declares the topology; production only checks it, having no right to configure. */
  assertTopology: boolean;
}

/** A service's bus over Vuka's topology: RabbitMQ if it has an address, else the embedded bus. */
export function createBus(options: CreateBusOptions): MessageBus {
  const { amqpUrl, managementUrl, busDatabaseUrl, service, assertTopology } = options;
  const shared = { service, topology, assertTopology, logger: options.logger.child({ component: 'bus' }) };
  if (amqpUrl) return createRabbitmqBus({ ...shared, url: amqpUrl, managementUrl });
  if (busDatabaseUrl) return createEmbeddedBus({ ...shared, databaseUrl: busDatabaseUrl });
  throw new Error('A message bus needs AMQP_URL or BUS_DATABASE_URL');
}
