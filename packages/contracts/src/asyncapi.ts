import * as z from 'zod/mini';
import { CLOUD_EVENT_CONTENT_TYPE, TYPE_PREFIX, WrittenCloudEvent } from './cloud-event.ts';
import { ACTION_RECORDED, ActionRecorded } from './messages/audit.ts';
import {
  ACCOUNT_CLOSED,
  AccountClosed,
  CODE_ISSUED,
  CodeIssued,
  EMAIL_TAKEN,
  EmailTaken,
  PHONE_LOST,
  PhoneLost,
  PIN_CHANGED,
  PinChanged,
  SESSIONS_ENDED,
  SessionsEnded,
  SIGNED_IN,
  SignedIn,
} from './messages/identity.ts';
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
  /** The routing key: the CloudEvent's type without its prefix. */
  key: string;
  summary: string;
  data: keyof typeof DATA;
  exchange: string;
}

const event = (key: string, data: keyof typeof DATA, summary: string) => ({ key, summary, data, exchange: EVENTS });
const command = (key: string, data: keyof typeof DATA, summary: string) => ({ key, summary, data, exchange: COMMANDS });

/** Every message on the bus. */
const MESSAGES: DescribedMessage[] = [
  event(TRANSFER_CREATED, 'TransferChanged', 'An order was accepted; the money has not been reserved yet.'),
  event(TRANSFER_PROCESSING, 'TransferChanged', 'The money is reserved and the transfer is being carried out.'),
  event(
    TRANSFER_WAITING,
    'TransferChanged',
    'The transfer takes longer than usual, or needs a decision; `reason` says why.',
  ),
  event(TRANSFER_SETTLED, 'TransferChanged', 'The money has arrived. The final event.'),
  event(
    TRANSFER_FAILED,
    'TransferChanged',
    'The transfer failed and the money was returned to the sender. The final event.',
  ),
  event(BALANCES_CHANGED, 'BalancesChanged', 'A commit of the ledger changed the available balances of users.'),
  event(SIGNED_IN, 'SignedIn', 'A user signed in.'),
  event(PIN_CHANGED, 'PinChanged', 'The PIN of a user was changed or replaced.'),
  event(CODE_ISSUED, 'CodeIssued', 'A one-time code was issued and must be sent.'),
  event(EMAIL_TAKEN, 'EmailTaken', 'Someone tried to register with the email address of this user.'),
  event(PHONE_LOST, 'PhoneLost', 'Another account has verified the number that this user had verified.'),
  event(SESSIONS_ENDED, 'SessionsEnded', 'Sessions of a user ended.'),
  event(ACCOUNT_CLOSED, 'AccountClosed', 'An account was closed for good; what is held about the person is erased.'),
  event(RATES_UPDATED, 'RatesUpdated', 'The current prices.'),
  event(SETTINGS_CHANGED, 'SettingsChanged', 'The current system settings.'),
  event(CALLS_RECORDED, 'CallsRecorded', 'Calls to and callbacks from payout providers, secrets masked.'),
  event(ACTION_RECORDED, 'ActionRecorded', 'An administrator carried out an action.'),
  command(EXECUTE_TRANSFER, 'ExecuteTransfer', 'Carry a transfer out.'),
  command(RETRY_TRANSFER, 'RetryTransfer', 'Try a waiting transfer again.'),
];

/** The data of the messages, by name. */
const DATA = {
  TransferChanged,
  BalancesChanged,
  SignedIn,
  PinChanged,
  CodeIssued,
  EmailTaken,
  PhoneLost,
  SessionsEnded,
  AccountClosed,
  RatesUpdated,
  SettingsChanged,
  CallsRecorded,
  ActionRecorded,
  ExecuteTransfer,
  RetryTransfer,
};

/** What a schema cannot say of a field, by the name of the data. */
const FIELD_NOTES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  TransferChanged: {
    reason:
      'English text for people, which may change; null without a reason. The codes are `status_reason_codes` of ' +
      'GET /api/transactions/{id}.',
    recipientUserId:
      'The merchant whose wallet receives the money: null in `transfer.created.v1`, set from ' +
      '`transfer.processing.v1` on. Always null if the money goes to a phone or to a bank account, and in deposits.',
  },
};

/** Every message as an AsyncAPI 3.0 document (https://www.asyncapi.com/docs/reference/specification/v3.0.0). */
export function describeMessages(): object {
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Vuka messages',
      version: '1.0.0',
      description:
        'CloudEvents 1.0 in structured JSON on two topic exchanges of RabbitMQ; the routing key is the type after `africa.vuka.`. Delivery is ' +
        'at least once: duplicates have the same `id`. Events of one commit and type may travel together, as a CloudEvents ' +
        'batch (`application/cloudevents-batch+json`): a JSON array of the events. Of two events of a transfer, the one with the larger `sequence` (a text) is newer. ' +
        'With containers the virtual host is `/vuka`. The id of a message that travels alone is also its `messageId`. Other programs read the ' +
        'events of transfers over HTTP (`GET /api/feed/transfers`), or from a queue that `npm run consumer:create` makes.',
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
            {
              type: 'object',
              // Every event of a transfer has one; events of other kinds need none.
              ...(data === 'TransferChanged' ? { required: ['sequence'] } : {}),
              properties: {
                type: { const: TYPE_PREFIX + key },
                dataschema: { const: `urn:vuka:${key}` },
                data: reference('components/schemas', data),
              },
            },
          ],
        },
      })),
      schemas: {
        CloudEvent: schemaOf(WrittenCloudEvent),
        ...Object.fromEntries(Object.entries(DATA).map(([name, schema]) => [name, withNotes(name, schemaOf(schema))])),
      },
    },
  };
}

function keyed(describe: (message: DescribedMessage) => object): Record<string, object> {
  return Object.fromEntries(MESSAGES.map((message) => [message.key, describe(message)]));
}

const reference = (section: string, key: string) => ({ $ref: `#/${section}/${key}` });

function withNotes(name: string, schema: { properties?: Record<string, object> }): object {
  const notes = FIELD_NOTES[name];
  if (!notes) return schema;
  const noted = Object.entries(notes).map(([field, description]) => [
    field,
    { ...schema.properties?.[field], description },
  ]);
  return { ...schema, properties: { ...schema.properties, ...Object.fromEntries(noted) } };
}

/**
 * Without `additionalProperties`, which would forbid fields added later, and without patterns that repeat a format.
 */
function schemaOf(schema: z.ZodMiniType): { properties?: Record<string, object> } {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, {
    target: 'draft-7',
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (jsonSchema.format) delete jsonSchema.pattern;
    },
  });
  return described as { properties?: Record<string, object> };
}
