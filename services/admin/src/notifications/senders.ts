import { createTransport } from 'nodemailer';
import { Pool } from 'undici';
import * as z from 'zod/mini';

/** Sends one message; throws if it was not accepted. */
export type SendEmail = (message: { to: string; subject: string; text: string }) => Promise<void>;
export type SendSms = (message: { to: string; text: string }) => Promise<void>;

const TIMEOUT_MS = 10_000;
export const SMS_CONNECTIONS = 2;

/**
 * Email over SMTP: `smtps://user:password@host`. Throws the server's error if no recipient was accepted, and also if the
 * server says nothing for `timeoutMs`.
 */
export function createEmailSender(smtpUrl: string, from: string, timeoutMs = TIMEOUT_MS): SendEmail {
  const timeouts = {
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  };
  const transport = createTransport({ url: smtpUrl, ...timeouts }, { from });
  return async ({ to, subject, text }) => {
    await transport.sendMail({ to, subject, text });
  };
}

const AfricasTalkingAnswer = z.object({
  SMSMessageData: z.object({
    Message: z.string(),
    Recipients: z.array(z.object({ statusCode: z.int(), status: z.string() })),
  }),
});
/** Processed, sent, queued. */
const TAKEN = [100, 101, 102];

export interface AfricasTalking {
  username: string;
  apiKey: string;
  /** The registered sender name, if there is one. */
  senderId?: string | undefined;
  /** `https://api.africastalking.com`, or the sandbox's. */
  url: string;
}

/** A refusal with its code, named like that of a mail server. */
class Refused extends Error {
  readonly responseCode: number | undefined;

  constructor(message: string, responseCode: number | undefined) {
    super(message);
    this.responseCode = responseCode;
  }
}

/** SMS by Africa's Talking, `POST /version1/messaging`. */
export function createSmsSender({ username, apiKey, senderId, url }: AfricasTalking): SendSms {
  const pool = new Pool(url, { connections: SMS_CONNECTIONS, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
  return async ({ to, text }) => {
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: '/version1/messaging',
      headers: { apikey: apiKey, accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ username, to, message: text, ...(senderId ? { from: senderId } : {}) }).toString(),
    });
    const answer = await body.text();
    if (statusCode >= 300) {
      throw new Refused(`Africa's Talking answered ${statusCode}: ${answer.slice(0, 200)}`, statusCode);
    }
    const { SMSMessageData: data } = AfricasTalkingAnswer.parse(JSON.parse(answer));
    const [recipient] = data.Recipients;
    if (!recipient || !TAKEN.includes(recipient.statusCode)) {
      throw new Refused(`Africa's Talking refused it: ${recipient?.status ?? data.Message}`, recipient?.statusCode);
    }
  };
}
