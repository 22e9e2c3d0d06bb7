import { topology } from '@vuka/contracts/topology';
import type { Logger } from 'pino';
import { createEmbeddedBus } from '#messaging/embedded-bus.ts';
import type { MessageBus } from '#messaging/message-bus.ts';
import { createRabbitmqBus } from '#messaging/rabbitmq-bus.ts';

export interface CreateBusOptions {
  /** RabbitMQ, where there is one. */
  amqpUrl?: string | undefined;
  /** RabbitMQ's management, for a service that shows figures of queues. */
  managementUrl?: string | undefined;
  /** The database of the embedded bus, where there is no RabbitMQ. */
  busDatabaseUrl?: string | undefined;
  service: string;
  logger: Logger;
  /** Declares the topology; production only checks it, having no right to more. */
  assertTopology: boolean;
}

/** The bus of a service over Vuka's topology: RabbitMQ when it has an address, else the embedded one. */
export function createBus(options: CreateBusOptions): MessageBus {
  const { amqpUrl, managementUrl, busDatabaseUrl, service, assertTopology } = options;
  const shared = { service, topology, assertTopology, logger: options.logger.child({ component: 'bus' }) };
  if (amqpUrl) return createRabbitmqBus({ ...shared, url: amqpUrl, managementUrl });
  if (busDatabaseUrl) return createEmbeddedBus({ ...shared, databaseUrl: busDatabaseUrl });
  throw new Error('A message bus needs AMQP_URL or BUS_DATABASE_URL');
}
