import { createRoleLookup } from '@vuka/access/requesters';
import { listeningPart } from '@vuka/service-kit/http-app';
import { pollingPart } from '@vuka/service-kit/poll';
import { sealingPart } from '@vuka/service-kit/sealed-rows';
import { consumerPart, createService } from '@vuka/service-kit/service';
import { createServiceClient } from '@vuka/service-kit/service-client';
import { bookOpenAdjustments } from './adjustments/book-adjustment.ts';
import { buildApp } from './app.ts';
import { createHeadSigner, signHead } from './audit-trail/audit-heads.ts';
import { createActionCount } from './audit-trail/count-actions.ts';
import { AUDIT_QUEUE, recordActions } from './audit-trail/record-actions.ts';
import { ACCOUNTS_QUEUE, eraseClosedAccount, eraseLateMessages } from './closing/erase-account.ts';
import { config } from './config.ts';
import { migrations } from './db/migrations/migrations.ts';
import type { Schema } from './db/schema.ts';
import { createAttemptCount } from './notifications/count-attempts.ts';
import { deliveryParts } from './notifications/deliver-notifications.ts';
import { pruneNotifications } from './notifications/prune-notifications.ts';
import { createNotificationRecorder, NOTIFICATIONS_QUEUE } from './notifications/record-notifications.ts';
import { createSealedNotifications } from './notifications/sealed-notifications.ts';
import { createEmailSender, createSmsSender } from './notifications/senders.ts';
import { exportQueues } from './queues/queue-metrics.ts';
import { advanceRedrives, pruneRedrives } from './queues/redrive.ts';
import { finishOpenDeposits } from './register/register-deposit.ts';

const SIGN_EVERY_MS = 600_000;
const FINISH_EVERY_MS = 15_000;
/** A second of notifications is written together. */
const NOTIFICATIONS_PREFETCH = 1_000;
/** How many messages a redrive moves per second. */
const REDRIVE_EVERY_MS = 1_000;
const PRUNE_EVERY_MS = 3_600_000;
/** Longer than the ledger's own deadline, so that its answer is received. */
const DEPOSIT_TIMEOUT_MS = 6_000;

const settings = config();
const service = createService<Schema>({ name: 'admin', settings, migrations, poolSize: 4, hasInbox: true });
const client = (to: string, baseUrl: string) =>
  createServiceClient({ baseUrl, to, tokens: service.tokens, timeoutMs: DEPOSIT_TIMEOUT_MS });
const clients = {
  identity: client('identity', settings.IDENTITY_URL),
  transfers: client('transfers', settings.TRANSFERS_URL),
  wallet: client('wallet', settings.WALLET_URL),
};
const { PAYOUT_SIMULATOR_URL } = settings;
const simulator = PAYOUT_SIMULATOR_URL ? client('payout-simulator', PAYOUT_SIMULATOR_URL) : undefined;
const sealed = createSealedNotifications(settings.VUKA_DATA_KEY);
const roleNow = createRoleLookup(clients.identity);
const { hidesCodes } = settings;
const deps = { ...service, ...clients, roleNow, simulator, sealed, hidesCodes, now: () => new Date() };
const app = buildApp(deps);
if (!settings.AMQP_URL) exportQueues(service.metrics, service.bus);
const audit = { db: service.db, onRecorded: createActionCount(service.metrics) };
const { AFRICASTALKING_USERNAME: username, AFRICASTALKING_API_KEY: apiKey } = settings;
const signer = settings.VUKA_AUDIT_KEY ? createHeadSigner(settings.VUKA_AUDIT_KEY) : undefined;
if (!signer) service.logger.warn('without VUKA_AUDIT_KEY the end of the audit trail is not signed');
const senders = {
  sendEmail: settings.SMTP_URL ? createEmailSender(settings.SMTP_URL, settings.VUKA_EMAIL_FROM) : undefined,
  sendSms:
    username && apiKey
      ? createSmsSender({
          username,
          apiKey,
          senderId: settings.AFRICASTALKING_SENDER_ID,
          url: settings.AFRICASTALKING_URL,
        })
      : undefined,
};
const recordNotification = createNotificationRecorder({
  ...deps,
  publicUrl: settings.VUKA_PUBLIC_URL.replace(/\/$/, ''),
  canSend: { email: senders.sendEmail !== undefined, sms: senders.sendSms !== undefined },
});

service.run({
  first: [
    {
      name: 'clients',
      start: () => undefined,
      stop: async () => {
        await Promise.all([...Object.values(clients), simulator].map((http) => http?.close()));
      },
    },
    listeningPart(app, { host: settings.HOST, port: settings.PORT }),
  ],
  whenReady: [
    consumerPart(service, NOTIFICATIONS_QUEUE, NOTIFICATIONS_PREFETCH, recordNotification),
    ...deliveryParts({ ...deps, ...senders, countAttempt: createAttemptCount(service.metrics) }),
    pollingPart({
      name: 'pruning',
      everyMs: PRUNE_EVERY_MS,
      logger: service.logger,
      async run() {
        await pruneNotifications(service.db, new Date(), settings.VUKA_NOTIFICATION_DAYS);
        await eraseLateMessages(service.db);
        await pruneRedrives(service.db);
      },
    }),
    sealingPart(service, [sealed]),
    consumerPart(service, ACCOUNTS_QUEUE, 10, (delivery) => eraseClosedAccount(deps, delivery)),
    consumerPart(service, AUDIT_QUEUE, 20, (delivery) => recordActions(audit, delivery)),
    pollingPart({
      name: 'audit head',
      everyMs: SIGN_EVERY_MS,
      logger: service.logger,
      run: async () => {
        if (signer) await signHead({ ...deps, signer });
      },
    }),
    pollingPart({
      name: 'redrives',
      everyMs: REDRIVE_EVERY_MS,
      logger: service.logger,
      run: () => advanceRedrives(deps),
    }),
    pollingPart({
      name: 'open deposits',
      everyMs: FINISH_EVERY_MS,
      logger: service.logger,
      run: () => finishOpenDeposits(deps),
    }),
    pollingPart({
      name: 'open adjustments',
      everyMs: FINISH_EVERY_MS,
      logger: service.logger,
      run: () => bookOpenAdjustments(deps),
    }),
  ],
});
