import * as z from 'zod/mini';
import { CLOUD_EVENT_CONTENT_TYPE, CloudEvent } from './cloud-event.ts';
import { ACTION_RECORDED, ActionRecorded } from './messages/audit.ts';
import { SESSIONS_ENDED, SessionsEnded, SIGNED_IN, SignedIn } from './messages/identity.ts';
import { CALLS_RECORDED, CallsRecorded } from './messages/integration-log.ts';
import { RATES_UPDATED, RatesUpdated } from './messages/rates.ts';
import { SETTINGS_CHANGED, SettingsChanged } from './messages/settings.ts';
import {
  EXECUTE_TRANSFER,
  ExecuteTransfer,
  RETRY_TRANSFER,
  RetryTransfer,
  TRANSFER_CREATED,
  TRANSFER_FAILED,
  TRANSFER_PROCESSING,
  TRANSFER_SETTLED,
  TRANSFER_WAITING,
  TransferChanged,
} from './messages/transfers.ts';
import { BALANCES_CHANGED, BalancesChanged } from './messages/wallet.ts';
import { COMMANDS, EVENTS } from './topology.ts';

interface DescribedMessage {
  /** The routing key, which is the CloudEvent's type. */
  key: string;
  summary: string;
  data: z.ZodMiniType;
  exchange: string;
}

const event = (key: string, data: z.ZodMiniType, summary: string) => ({ key, summary, data, exchange: EVENTS });
const command = (key: string, data: z.ZodMiniType, summary: string) => ({ key, summary, data, exchange: COMMANDS });

/** Every message that goes over the bus. */
const MESSAGES: DescribedMessage[] = [
  event(TRANSFER_CREATED, TransferChanged, 'An order was accepted; its money is about to be reserved.'),
  event(TRANSFER_PROCESSING, TransferChanged, 'The money is reserved and on its way.'),
  event(TRANSFER_WAITING, TransferChanged, 'It takes longer than usual, or waits for a person; `reason` says why.'),
  event(TRANSFER_SETTLED, TransferChanged, 'The money has arrived. Nothing follows.'),
  event(TRANSFER_FAILED, TransferChanged, "It failed, and the money is the sender's again. Nothing follows."),
  event(BALANCES_CHANGED, BalancesChanged, 'A commit of the ledger changed what users can spend.'),
  event(SIGNED_IN, SignedIn, 'Somebody signed in.'),
  event(SESSIONS_ENDED, SessionsEnded, 'Sessions of a user ended.'),
  event(RATES_UPDATED, RatesUpdated, 'The prices as they are now.'),
  event(SETTINGS_CHANGED, SettingsChanged, 'The system settings as they are now.'),
  event(CALLS_RECORDED, CallsRecorded, 'Calls to and callbacks from payout providers, secrets masked.'),
  event(ACTION_RECORDED, ActionRecorded, 'An administrator did something.'),
  command(EXECUTE_TRANSFER, ExecuteTransfer, 'Carry a transfer out.'),
  command(RETRY_TRANSFER, RetryTransfer, 'Try a waiting transfer again.'),
];

/** Every message as an AsyncAPI 3.0 document (https://www.asyncapi.com/docs/reference/specification/v3.0.0). */
export function describeMessages(): object {
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Vuka messages',
      version: '1.0.0',
      description:
        'CloudEvents 1.0 in structured JSON on two topic exchanges of RabbitMQ; the routing key is the type. A message ' +
        'may come more than once: its `id` tells. Of one transfer the one with the higher `sequence` is the newer. ' +
        'Programs outside read the events of transfers over HTTP: `GET /api/feed/transfers`.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: CLOUD_EVENT_CONTENT_TYPE,
    channels: keyed((message) => ({
      address: message.key,
      messages: { [message.key]: reference('components/messages', message.key) },
      bindings: {
        amqp: {
          is: 'routingKey',
          exchange: { name: message.exchange, type: 'topic', durable: true, autoDelete: false },
          bindingVersion: '0.3.0',
        },
      },
    })),
    operations: keyed(({ key }) => ({
      action: 'send',
      channel: reference('channels', key),
      messages: [{ $ref: `${reference('channels', key).$ref}/messages/${key}` }],
      bindings: { amqp: { deliveryMode: 2, mandatory: true, bindingVersion: '0.3.0' } },
    })),
    components: {
      messages: keyed(({ key, summary, data }) => ({
        name: key,
        summary,
        payload: {
          allOf: [
            reference('components/schemas', 'CloudEvent'),
            { type: 'object', properties: { type: { const: key }, data: schemaOf(data) } },
          ],
        },
      })),
      schemas: { CloudEvent: schemaOf(CloudEvent) },
    },
  };
}

function keyed(describe: (message: DescribedMessage) => object): Record<string, object> {
  return Object.fromEntries(MESSAGES.map((message) => [message.key, describe(message)]));
}

const reference = (section: string, key: string) => ({ $ref: `#/${section}/${key}` });

/** Without what would forbid a field that is added one day, and without the pattern that says again what a format says. */
function schemaOf(schema: z.ZodMiniType): object {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, {
    target: 'draft-7',
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (jsonSchema.format) delete jsonSchema.pattern;
    },
  });
  return described;
}
