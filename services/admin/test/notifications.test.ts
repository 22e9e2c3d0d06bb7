import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodeCaller } from '@vuka/access/caller';
import type { AdminRole } from '@vuka/contracts/http/admin-role';
import { ContactLookups } from '@vuka/contracts/internal/identity';
import { CODE_ISSUED, EMAIL_TAKEN, PHONE_LOST, PIN_CHANGED, SIGNED_IN } from '@vuka/contracts/messages/identity';
import { TRANSFER_SETTLED, type TransferChanged } from '@vuka/contracts/messages/transfers';
import { AppError } from '@vuka/service-kit/app-error';
import { cloudEvent } from '@vuka/service-kit/cloud-event';
import { createDatabase } from '@vuka/service-kit/database';
import { createHttpApp } from '@vuka/service-kit/http-app';
import { readKeyring } from '@vuka/service-kit/keyring';
import { createLogger } from '@vuka/service-kit/logger';
import type { Delivery } from '@vuka/service-kit/messaging/message-bus';
import { migrate } from '@vuka/service-kit/migrate';
import { listMessages } from '@vuka/service-kit/outbox';
import { SERVICE_HEADER } from '@vuka/service-kit/service-tokens';
import { adminCaller } from '@vuka/test-kit/callers';
import { createTestClock } from '@vuka/test-kit/clock';
import { createTestDatabase } from '@vuka/test-kit/postgres';
import { until } from '@vuka/test-kit/until';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { migrations } from '#db/migrations/migrations.ts';
import type { Schema } from '#db/schema.ts';
import { type DeliverDeps, deliverNotifications, deliveryParts, LANES } from '#notifications/deliver-notifications.ts';
import { notificationRoutes } from '#notifications/notifications.routes.ts';
import { pruneNotifications } from '#notifications/prune-notifications.ts';
import { createNotificationRecorder } from '#notifications/record-notifications.ts';
import { createSealedNotifications } from '#notifications/sealed-notifications.ts';
import { createSmsSender } from '#notifications/senders.ts';

const logger = createLogger({ service: 'admin-test', level: 'silent' });
const AMINA = '0190a000-0000-7000-8000-000000000001';
const OWNER = '0190a000-0000-7000-8000-000000000002';
const clock = createTestClock();
const OLD_SECRET = 'data-key-of-at-least-thirty-two-characters';
const sealed = createSealedNotifications(readKeyring(OLD_SECRET));
const server = await createTestDatabase('notifications');
const { db, close } = createDatabase<Schema>({ url: server.url, service: 'admin-test', logger });
beforeAll(() => migrate(db as never, migrations, logger));
afterAll(async () => {
  await close();
  await server.drop();
});
beforeEach(async () => {
  await db.deleteFrom('notifications').execute();
  await db.deleteFrom('outbox').execute();
  await db
    .updateTable('settings')
    .set({ email_notifications: true, sms_notifications: true, login_alerts: true })
    .execute();
});

const CONTACT = { email: 'amina@vuka.test', phone: '+254712000001', isPhoneVerified: true };
const CODE = { sentTo: CONTACT.phone, digits: '123456', link: { email: CONTACT.email, token: 'a-token' } };

const OF_OWNER = { email: 'owner@vuka.test', phone: '+254712000002', isPhoneVerified: true, isAdmin: true };
const CONTACTS = new Map<string, object>([
  [AMINA, CONTACT],
  [OWNER, OF_OWNER],
]);

/** A fake identity with a merchant and an owner, whose codes are all the same. */
const identity = {
  post: async (path: string, { items }: { items: { userId?: string; codeId?: string }[] }) => ({
    results: items.map(({ userId = '' }) => (path.includes('codes') ? CODE : (CONTACTS.get(userId) ?? null))),
  }),
};

const readers = { db, sealed, identity: identity as never };

function recorder(canSend = { email: true, sms: true }, asked: object = identity) {
  return createNotificationRecorder({
    db,
    identity: asked as never,
    now: clock.now,
    sealed,
    publicUrl: 'https://vuka.test',
    canSend,
  });
}

function signedIn(userId = AMINA): Delivery {
  const data = { userId, at: clock.now().toISOString() };
  return { envelope: cloudEvent({ source: '/vuka/identity', type: SIGNED_IN, data }, clock.now()) } as Delivery;
}

const rows = () => db.selectFrom('notifications').selectAll().orderBy('channel').execute();
/** As administrators read them. */
const stored = async () =>
  (await rows()).map((row) => {
    const { recipient, subject, body, lastError } = sealed.open(row);
    return { ...row, recipient, subject, body, last_error: lastError };
  });

function delivery(senders: Partial<DeliverDeps>) {
  const countAttempt = () => undefined;
  return { db, logger, now: clock.now, sealed, countAttempt, sendEmail: undefined, sendSms: undefined, ...senders };
}
const deliver = (deps: DeliverDeps) => Promise.all(LANES.map((lane) => deliverNotifications(deps, lane)));

test('a full database is reported, so that the message is held and spends no attempt', async () => {
  const record = recorder();
  const event = signedIn();
  await sql`
    create function fill_disk() returns trigger language plpgsql as $$
    begin raise 'could not extend file' using errcode = '53100'; end $$`.execute(db);
  await sql`create trigger full_disk before insert on inbox execute function fill_disk()`.execute(db);
  await expect(record(event)).rejects.toMatchObject({ code: '53100' });
  await sql`drop function fill_disk cascade`.execute(db);
  await record(event);
  expect(await stored()).toHaveLength(2);
});

test('an event that is delivered twice makes one message over each channel', async () => {
  const record = recorder();
  const event = signedIn();
  expect(await Promise.all([record(event), record(event)])).toEqual([{ kind: 'ack' }, { kind: 'ack' }]);
  expect(await record(event)).toEqual({ kind: 'ack' });
  expect((await stored()).map(({ channel, recipient, status }) => [channel, recipient, status])).toEqual([
    ['email', 'amina@vuka.test', 'pending'],
    ['sms', '+254712000001', 'pending'],
  ]);
});

test('an event whose switch is off at that time writes no message', async () => {
  await db.updateTable('settings').set({ login_alerts: false }).execute();
  await recorder()(signedIn());
  expect(await stored()).toEqual([]);
});

test('a deleted user, or an event of another kind, does not affect other messages', async () => {
  const record = recorder();
  const other = { envelope: { ...signedIn().envelope, data: { userId: 7 } } } as Delivery;
  expect(
    await Promise.all([record(signedIn('0190a000-0000-7000-8000-00000000dead')), record(signedIn()), record(other)]),
  ).toEqual([{ kind: 'ack' }, { kind: 'ack' }, { kind: 'dead', reason: 'not an event with notifications' }]);
  expect(await stored()).toHaveLength(2);
});

function settled(): Delivery {
  const transfer: Omit<TransferChanged, 'at'> = {
    transferId: randomUUID(),
    type: 'transfer',
    status: 'SETTLED',
    reason: null,
    userId: randomUUID(),
    recipientUserId: randomUUID(),
    sourceAmount: '10.00',
    sourceCurrency: 'KES',
    targetAmount: '190.00',
    targetCurrency: 'TZS',
  };
  return event(TRANSFER_SETTLED, transfer);
}

test('everybody is notified of a backlog of payments between merchants, who are more than one call may ask identity for', async () => {
  const calls: number[] = [];
  const asked = {
    async post(_path: string, body: object) {
      const lookups = ContactLookups.safeParse(body);
      if (!lookups.success) throw new AppError('request_unreadable');
      calls.push(lookups.data.items.length);
      return { results: lookups.data.items.map(({ userId }) => ({ ...CONTACT, email: `${userId}@vuka.test` })) };
    },
  };
  const record = recorder(undefined, asked);
  const payments = Array.from({ length: 500 }, settled);
  expect(await Promise.all(payments.map(record))).toEqual(Array(500).fill({ kind: 'ack' }));
  expect(calls).toEqual([500, 500]);
  const emails = (await stored()).filter(({ channel }) => channel === 'email');
  expect(emails.filter(({ user_id, recipient }) => recipient === `${user_id}@vuka.test`)).toHaveLength(1_000);
});

test('without credentials messages are stored to be read, and never sent', async () => {
  await recorder({ email: false, sms: false })(signedIn());
  await deliver(delivery({}));
  expect((await stored()).map(({ status, attempts }) => [status, attempts])).toEqual([
    ['kept', 0],
    ['kept', 0],
  ]);
});

test('each message is sent once, even by two concurrent processes', async () => {
  await recorder()(signedIn());
  const sent: string[] = [];
  const senders = {
    sendEmail: async ({ to }: { to: string }) => void sent.push(to),
    sendSms: async ({ to }: { to: string }) => void sent.push(to),
  };
  await Promise.all([deliver(delivery(senders)), deliver(delivery(senders))]);
  await deliver(delivery(senders));
  expect(sent.toSorted()).toEqual(['+254712000001', 'amina@vuka.test']);
  expect((await stored()).map(({ status }) => status)).toEqual(['sent', 'sent']);
});

test('a refused message is retried with growing delays, at least hourly for a day, and finally fails with the reason', async () => {
  await recorder({ email: true, sms: false })(signedIn());
  const counted: object[] = [];
  const countAttempt = (attempt: object) => void counted.push(attempt);
  const sendEmail = () => Promise.reject(new Error('550 no such mailbox'));
  const deps = delivery({ sendEmail, countAttempt });
  await deliver(deps);
  await deliver(deps);
  expect(counted).toEqual([{ channel: 'email', result: 'failed' }]);
  const hour = async () => {
    clock.advance(3_600_000);
    await deliver(deps);
    return (await stored())[0];
  };
  for (let round = 1; round < 24; round++)
    expect(await hour()).toMatchObject({ status: 'pending', attempts: round + 1 });
  expect(await hour()).toMatchObject({ status: 'failed', attempts: 25, last_error: '550 no such mailbox' });
  await hour();
  expect(counted).toHaveLength(1);
});

test('an SMS follows the API of Africa’s Talking, and its refusal is an error with its reason', async () => {
  const requests: { path: string | undefined; key: unknown; body: string }[] = [];
  let statusCode = 101;
  const provider = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      requests.push({ path: request.url, key: request.headers.apikey, body });
      const Recipients = [{ statusCode, status: statusCode === 101 ? 'Success' : 'InvalidPhoneNumber' }];
      response.end(JSON.stringify({ SMSMessageData: { Message: 'Sent to 1/1', Recipients } }));
    });
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const send = createSmsSender({ username: 'sandbox', apiKey: 'key', senderId: undefined, url });
  await send({ to: '+254712000001', text: 'Vuka: hello & welcome' });
  expect(requests).toEqual([
    {
      path: '/version1/messaging',
      key: 'key',
      body: 'username=sandbox&to=%2B254712000001&message=Vuka%3A+hello+%26+welcome',
    },
  ]);
  statusCode = 403;
  await expect(send({ to: '+254712000001', text: 'x' })).rejects.toThrow('InvalidPhoneNumber');
  provider.close();
  provider.closeAllConnections();
});

test('messages are deleted after the configured number of days, but never before they are sent', async () => {
  await recorder({ email: true, sms: false })(signedIn());
  expect((await stored()).map(({ status }) => status)).toEqual(['pending', 'kept']);
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
  await pruneNotifications(db, inDays(89), 90);
  expect(await stored()).toHaveLength(2);
  await pruneNotifications(db, inDays(91), 90);
  expect((await stored()).map(({ status }) => status)).toEqual(['pending']);
});

function event(type: string, facts: object): Delivery {
  const data = { userId: AMINA, at: clock.now().toISOString(), ...facts };
  return { envelope: cloudEvent({ source: '/vuka/identity', type, data }, clock.now()) } as Delivery;
}
const reset = () => event(CODE_ISSUED, { codeId: '0190a000-0000-7000-8000-0000000000c0', purpose: 'reset_pin' });

test('a PIN reset sends the code to the phone and the link to the address, whatever the switches', async () => {
  await db.updateTable('settings').set({ email_notifications: false, sms_notifications: false }).execute();
  await recorder()(reset());
  const [email, sms] = await stored();
  expect([email?.recipient, sms?.recipient]).toEqual([CONTACT.email, CONTACT.phone]);
  expect(email?.body).toContain('https://vuka.test/reset-pin#id=0190a000-0000-7000-8000-0000000000c0&token=a-token');
  expect(email?.body).not.toContain('123456');
  expect(sms?.body).toContain('123456');
  expect(sms?.body).not.toContain('a-token');
});

test('a code is removed from the stored message when it was sent, and when sending ended in failure', async () => {
  await recorder()(reset());
  const sent: string[] = [];
  const sendSms = async ({ text }: { text: string }) => void sent.push(text);
  const sendEmail = () => Promise.reject(new Error('the mail server is closed'));
  for (let attempt = 0; attempt < 6; attempt++) {
    await deliver(delivery({ sendEmail, sendSms }));
    clock.advance(3_600_000);
  }
  expect(sent).toEqual([expect.stringContaining('123456')]);
  const messages = await stored();
  expect(messages.map(({ status }) => status)).toEqual(['failed', 'sent']);
  expect(JSON.stringify(messages)).not.toMatch(/123456|a-token/);
});

test('codes pass a backlog of other messages, while the servers answer none of those', async () => {
  const record = recorder();
  await Promise.all(Array.from({ length: 50 }, () => record(signedIn())));
  const { promise: silence, resolve: answerAll } = Promise.withResolvers<void>();
  const sent: string[] = [];
  let unanswered = 0;
  const send = async ({ text }: { text: string }) => {
    if (/signed in/.test(text)) {
      unanswered += 1;
      await silence;
    }
    sent.push(text);
  };
  const parts = deliveryParts(delivery({ sendEmail: send, sendSms: send }));
  for (const part of parts) await part.start();
  onTestFinished(async () => {
    answerAll();
    await Promise.all(parts.map((part) => part.stop()));
  });
  await until(() => unanswered > 0);
  for (const _ of [1, 2]) {
    sent.length = 0;
    await record(reset());
    await until(() => sent.length === 2);
    expect(sent.toSorted()).toEqual([expect.stringContaining('a-token'), expect.stringContaining('123456')]);
  }
});

test('one channel does not wait for the other', async () => {
  await Promise.all(Array.from({ length: 50 }, () => recorder()(signedIn())));
  const { promise: silence, resolve: answerAll } = Promise.withResolvers<void>();
  const sent: string[] = [];
  const deps = delivery({ sendEmail: () => silence, sendSms: async ({ to }) => void sent.push(to) });
  const delivered = deliver(deps);
  await until(() => sent.length === 50);
  answerAll();
  await delivered;
});

test.each([
  ['a demonstration', false],
  ['the public', true],
])('an administrator reads a code that was not sent only in a demonstration: %s', async (_where, hidesCodes) => {
  await recorder({ email: false, sms: false })(reset());
  const app = createHttpApp({ service: 'admin', logger, tokens: { verify: async () => 'gateway' }, checks: {} });
  onTestFinished(() => app.close());
  notificationRoutes(app, { ...readers, hidesCodes, now: clock.now, kickRelay: () => undefined });
  const headers = { [SERVICE_HEADER]: 'a token', 'x-vuka-caller': encodeCaller({ ...adminCaller, role: 'support' }) };
  const { body } = await app.inject({ url: '/internal/notifications', headers });
  await app.inject({ url: '/internal/notifications', headers });
  await app.inject({ url: '/internal/notifications?channel=sms', headers });
  const readings = (await listMessages(db)).map(({ envelope }) => envelope.data);
  const entry = { action: 'messages.viewed' };
  expect(readings).toMatchObject([
    { ...entry, after: { shown: 2 } },
    { ...entry, after: { shown: 1 } },
  ]);
  expect([/123456/.test(body), /a-token/.test(body)]).toEqual([!hidesCodes, !hidesCodes]);
});

test('support reads what went to merchants, and of what went to an administrator only when and whether it arrived', async () => {
  await recorder()(signedIn(OWNER));
  await recorder()(signedIn());
  const bounce = { sealed: null, recipient: OF_OWNER.email, body: 'New sign-in', last_error: `550 ${OF_OWNER.email}` };
  await db
    .updateTable('notifications')
    .set(bounce)
    .where('user_id', '=', OWNER)
    .where('channel', '=', 'email')
    .execute();
  const app = createHttpApp({ service: 'admin', logger, tokens: { verify: async () => 'gateway' }, checks: {} });
  onTestFinished(() => app.close());
  notificationRoutes(app, { ...readers, now: clock.now, kickRelay: () => undefined });
  const listFor = async (role: AdminRole) => {
    const headers = { [SERVICE_HEADER]: 'a token', 'x-vuka-caller': encodeCaller({ ...adminCaller, role }) };
    return (await app.inject({ url: '/internal/notifications', headers })).body;
  };
  const [support, auditor, owner] = [await listFor('support'), await listFor('auditor'), await listFor('owner')];
  for (const contact of [OF_OWNER.email, OF_OWNER.phone]) {
    expect(support).not.toContain(contact);
    for (const list of [auditor, owner]) expect(list).toContain(contact);
  }
  expect(support).toContain(CONTACT.email);
  expect(JSON.parse(support).notifications).toMatchObject([
    {},
    {},
    { isWithheld: true, recipient: '', subject: null, body: '', lastError: null, status: 'pending' },
    { isWithheld: true, recipient: '', subject: null, body: '', lastError: null, status: 'pending' },
  ]);
});

test('an administrator sees which messages are about one event, to one person', async () => {
  await recorder()(signedIn());
  await recorder()(reset());
  const app = createHttpApp({ service: 'admin', logger, tokens: { verify: async () => 'gateway' }, checks: {} });
  onTestFinished(() => app.close());
  notificationRoutes(app, { ...readers, now: clock.now, kickRelay: () => undefined });
  const headers = { [SERVICE_HEADER]: 'a token', 'x-vuka-caller': encodeCaller({ ...adminCaller, role: 'support' }) };
  const { notifications } = (await app.inject({ url: '/internal/notifications', headers })).json<{
    notifications: { occasion: string }[];
  }>();
  const occasions = notifications.map(({ occasion }) => occasion);
  expect(occasions).toHaveLength(4);
  expect(occasions.map((occasion) => occasions.indexOf(occasion))).toEqual([0, 0, 2, 2]);
});

test('the owner of a taken address is notified by e-mail, without any text of the person who tried', async () => {
  await recorder()(event(EMAIL_TAKEN, {}));
  const [email] = await stored();
  expect(email).toMatchObject({ channel: 'email', recipient: CONTACT.email });
  expect(email?.subject).toContain('tried to register');
});

test('the former holder of a number is notified by e-mail whatever the settings, and not by SMS', async () => {
  await db.updateTable('settings').set({ email_notifications: false }).execute();
  const unverified = { post: async () => ({ results: [{ ...CONTACT, isPhoneVerified: false }] }) };
  await recorder(undefined, unverified)(event(PHONE_LOST, {}));
  expect(await stored()).toMatchObject([{ channel: 'email', recipient: CONTACT.email }]);
});

test('in the table, recipient, text and error of a message are encrypted, before it is sent and afterwards', async () => {
  await recorder({ email: true, sms: false })(signedIn());
  const refuse = () => Promise.reject(new Error(`550 <${CONTACT.email}> no such mailbox`));
  for (let attempt = 0; attempt < 25; attempt++) {
    const table = JSON.stringify((await rows()).map((row) => ({ ...row, sealed: row.sealed?.toString('latin1') })));
    expect(table).not.toMatch(/amina|@vuka|712000001|signed in|mailbox/i);
    await deliver(delivery({ sendEmail: refuse }));
    clock.advance(3_600_000);
  }
  expect((await stored()).map((message) => [message.status, message.recipient, message.last_error])).toEqual([
    ['failed', CONTACT.email, `550 <${CONTACT.email}> no such mailbox`],
    ['kept', CONTACT.phone, null],
  ]);
});

test('the log names the code of a refusal, and neither the address nor the text of the server', async () => {
  const lines: object[] = [];
  const noting = { ...logger, warn: (facts: object) => void lines.push(facts) } as typeof logger;
  const refuse = () =>
    Promise.reject(
      Object.assign(new Error(`550 <${CONTACT.email}> no such mailbox`), { code: 'EENVELOPE', responseCode: 550 }),
    );
  await recorder({ email: true, sms: false })(signedIn());
  await deliver({ ...delivery({ sendEmail: refuse }), logger: noting });
  expect(lines).toEqual([expect.objectContaining({ channel: 'email', code: 'EENVELOPE', responseCode: 550 })]);
  expect(JSON.stringify(lines)).not.toMatch(/amina|mailbox/i);
});

/** As the previous release writes a message, and claims those that are due. */
const writeClear = (id: string, status: 'pending' | 'sent') =>
  db
    .insertInto('notifications')
    .values({
      id,
      event_id: id,
      user_id: AMINA,
      channel: 'email',
      recipient: CONTACT.email,
      subject: 'Hello',
      body: 'In clear text',
      status,
      next_attempt_at: status === 'pending' ? clock.now() : null,
      due_at: null,
      sent_at: null,
      last_error: null,
      created_at: clock.now(),
      sealed: null,
    })
    .execute();
const dueForPreviousRelease = async () =>
  (await rows()).filter(({ status, next_attempt_at }) => status === 'pending' && next_attempt_at !== null);

test('a message that the previous release wrote is sent, and is then encrypted', async () => {
  await writeClear('0190a000-0000-7000-8000-0000000000d1', 'pending');
  expect(await sealed.sealSome(db, 10)).toBe(0);
  const sent: string[] = [];
  await deliver(delivery({ sendEmail: async ({ to, text }) => void sent.push(`${to}: ${text}`) }));
  expect(sent).toEqual([`${CONTACT.email}: In clear text`]);
  await writeClear('0190a000-0000-7000-8000-0000000000d2', 'sent');
  expect(await sealed.sealSome(db, 10)).toBe(1);
  expect((await rows()).map(({ recipient, body }) => recipient + body)).toEqual(['', '']);
  expect((await stored()).map(({ recipient, body }) => [recipient, body])).toEqual([
    [CONTACT.email, 'In clear text'],
    [CONTACT.email, 'In clear text'],
  ]);
});

test('the previous release does not claim an encrypted message, which it could not read', async () => {
  await recorder()(signedIn());
  expect((await rows()).map(({ status }) => status)).toEqual(['pending', 'pending']);
  expect(await dueForPreviousRelease()).toEqual([]);
  await deliver(delivery({ sendEmail: () => Promise.reject(new Error('closed')) }));
  expect(await dueForPreviousRelease()).toEqual([]);
  await writeClear('0190a000-0000-7000-8000-0000000000d3', 'pending');
  expect(await dueForPreviousRelease()).toHaveLength(1);
});

test('a person gets a hundred text messages a day, but each e-mail, and each about a new PIN', async () => {
  const record = recorder();
  await Promise.all(Array.from({ length: 60 }, () => record(signedIn())));
  await Promise.all(Array.from({ length: 60 }, () => record(signedIn())));
  await record(event(PIN_CHANGED, { how: 'changed' }));
  const channels = (await stored()).map(({ channel }) => channel);
  expect([channels.filter((it) => it === 'email').length, channels.filter((it) => it === 'sms').length]).toEqual([
    121, 101,
  ]);
  clock.advance(24 * 3_600_000);
  await record(signedIn());
  expect((await stored()).filter(({ channel }) => channel === 'sms')).toHaveLength(102);
});
