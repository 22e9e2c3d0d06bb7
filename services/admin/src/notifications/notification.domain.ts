import type { NotificationSettings } from '@vuka/contracts/http/settings';
import type { Contact } from '@vuka/contracts/internal/identity';
import type { SignedIn } from '@vuka/contracts/messages/identity';
import type { TransferChanged } from '@vuka/contracts/messages/transfers';

/** An event that people are notified of. */
export type Occurrence = { kind: 'signed_in'; data: SignedIn } | { kind: 'transfer'; data: TransferChanged };

/** One person's notification. */
export interface Notification {
  userId: string;
  subject: string;
  text: string;
}

export interface Message {
  userId: string;
  channel: 'email' | 'sms';
  recipient: string;
  subject: string | null;
  body: string;
}

export interface House {
  systemName: string;
  supportEmail: string;
}

/** East Africa Time, the time zone of both countries. */
const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Africa/Nairobi' });
const NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

/** The notifications of an event, by the switches; none if its switch is off or nothing needs to be reported. */
export function notificationsOf(occurrence: Occurrence, settings: NotificationSettings, house: House): Notification[] {
  if (occurrence.kind === 'signed_in') return settings.loginAlerts ? [signInNotification(occurrence.data, house)] : [];
  return settings.transactionAlerts ? transferNotifications(occurrence.data) : [];
}

function signInNotification({ userId, at }: SignedIn, { systemName, supportEmail }: House): Notification {
  return {
    userId,
    subject: `New sign-in to ${systemName}`,
    text: `Your account was signed in to on ${when(at)}. If it was not you, write to ${supportEmail} at once; administrators change their PIN first.`,
  };
}

function transferNotifications(transfer: TransferChanged): Notification[] {
  const { userId, recipientUserId, type, status, at } = transfer;
  const sent = amount(transfer.sourceAmount, transfer.sourceCurrency);
  const received = amount(transfer.targetAmount, transfer.targetCurrency);
  const reference = `Transaction ${transfer.transferId}, ${when(at)}.`;
  if (status === 'FAILED') {
    const text = `Your ${word(type)} of ${sent} failed. The money is back in your balance. ${reference}`;
    return [{ userId, subject: `Your ${word(type)} of ${sent} failed`, text }];
  }
  if (status !== 'SETTLED') return [];
  if (type === 'deposit') {
    return [{ userId, subject: `${received} received`, text: `${received} was added to your wallet. ${reference}` }];
  }
  const own: Notification = {
    userId,
    subject: `Your ${word(type)} of ${sent} arrived`,
    text: `You sent ${sent}; ${received} arrived. ${reference}`,
  };
  if (!recipientUserId) return [own];
  return [
    own,
    { userId: recipientUserId, subject: `${received} received`, text: `You were sent ${received}. ${reference}` },
  ];
}

/** The messages for a person, one for each channel that is enabled and for which they have an address. */
export function messagesTo(
  notification: Notification,
  contact: Contact,
  settings: NotificationSettings,
  house: House,
): Message[] {
  const messages: Message[] = [];
  if (settings.emailNotifications) {
    const body = `Hello ${contact.fullName},\n\n${notification.text}\n\n${house.systemName} never asks for your PIN.\nQuestions: ${house.supportEmail}\n`;
    messages.push({
      userId: notification.userId,
      channel: 'email',
      recipient: contact.email,
      subject: notification.subject,
      body,
    });
  }
  if (settings.smsNotifications && contact.phone) {
    const body = `${house.systemName}: ${notification.text}`;
    messages.push({ userId: notification.userId, channel: 'sms', recipient: contact.phone, subject: null, body });
  }
  return messages;
}

const when = (at: string): string => TIME.format(new Date(at));
/** For display only: nothing is computed from it. */
const amount = (value: string, currency: string): string => `${currency} ${NUMBER.format(Number(value))}`;
const word = (type: TransferChanged['type']): string => (type === 'withdrawal' ? 'withdrawal' : 'transfer');
