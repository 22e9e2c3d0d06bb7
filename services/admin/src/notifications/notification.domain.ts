import type { NotificationSettings } from '@vuka/contracts/http/settings';
import type { Contact } from '@vuka/contracts/internal/identity';
import type { EmailTaken, PhoneLost, PinChanged, SignedIn } from '@vuka/contracts/messages/identity';
import type { TransferChanged } from '@vuka/contracts/messages/transfers';

/** An event that people are notified of. */
export type Occurrence =
  | { kind: 'signed_in'; data: SignedIn }
  | { kind: 'pin_changed'; data: PinChanged }
  | { kind: 'email_taken'; data: EmailTaken }
  | { kind: 'phone_lost'; data: PhoneLost }
  | { kind: 'transfer'; data: TransferChanged };

/** One person's notification. */
export interface Notification {
  userId: string;
  subject: string;
  text: string;
  /** It reports that access to the account may have changed. */
  isAboutAccess?: boolean;
}

export interface Message {
  userId: string;
  channel: 'email' | 'sms';
  recipient: string;
  subject: string | null;
  body: string;
  /** It contains a one-time code. */
  hasCode?: boolean;
  isAboutAccess?: boolean;
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
  if (occurrence.kind === 'pin_changed') return [changedPinNotification(occurrence.data, house)];
  if (occurrence.kind === 'email_taken') return [takenEmailNotification(occurrence.data, house)];
  if (occurrence.kind === 'phone_lost') return [lostPhoneNotification(occurrence.data, house)];
  if (occurrence.kind === 'signed_in') return settings.loginAlerts ? [signInNotification(occurrence.data, house)] : [];
  return settings.transactionAlerts ? transferNotifications(occurrence.data) : [];
}

function signInNotification({ userId, at }: SignedIn, { systemName, supportEmail }: House): Notification {
  return {
    userId,
    subject: `New sign-in to ${systemName}`,
    text: `Your account was signed in to on ${when(at)}. If it was not you, change your PIN at once and write to ${supportEmail}.`,
  };
}

function changedPinNotification({ userId, how, at }: PinChanged, { systemName, supportEmail }: House): Notification {
  const was = how === 'changed' ? 'changed' : 'replaced';
  return {
    userId,
    subject: `Your PIN for ${systemName} was ${was}`,
    isAboutAccess: true,
    text: `Your PIN was ${was} on ${when(at)}. If it was not you, write to ${supportEmail} at once.`,
  };
}

function takenEmailNotification({ userId, at }: EmailTaken, { systemName }: House): Notification {
  return {
    userId,
    subject: `Someone tried to register at ${systemName} with your email address`,
    text: `On ${when(at)} someone tried to register with this email address, which has an account. If it was you, sign in, or choose "Forgot your PIN?" on the sign-in page. If it was not you, there is nothing to do.`,
  };
}

function lostPhoneNotification({ userId, at }: PhoneLost, { systemName, supportEmail }: House): Notification {
  return {
    userId,
    subject: `Your phone number for ${systemName} belongs to another account now`,
    isAboutAccess: true,
    text: `On ${when(at)} another account verified your phone number with a code that was sent to it. Payments to this number now reach that account, and your limits are lower. If it was not you, call your mobile network, and write to ${supportEmail} at once. Once the number is yours again, verify it on the page Security.`,
  };
}

function transferNotifications(transfer: TransferChanged): Notification[] {
  const { userId, recipientUserId, type, status, at } = transfer;
  const sent = amount(transfer.sourceAmount, transfer.sourceCurrency);
  const received = amount(transfer.targetAmount, transfer.targetCurrency);
  const reference = `Transaction ${transfer.transferId}, ${when(at)}.`;
  if (status === 'FAILED') {
    // Money that was reserved is back; an order that the wallet refused reserved none.
    const text = `Your ${word(type)} of ${sent} failed. You were not charged. ${reference}`;
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

/**
 * The messages for a person, one for each channel that is enabled and for which they have an address. A message about
 * access to the account ignores the settings: someone who took an account over could have turned the channels off.
 */
export function messagesTo(
  notification: Notification,
  contact: Pick<Contact, 'email' | 'phone' | 'isPhoneVerified'>,
  settings: NotificationSettings,
  house: House,
): Message[] {
  const messages: Message[] = [];
  const { userId, isAboutAccess = false } = notification;
  if (settings.emailNotifications || isAboutAccess) {
    const body = `${notification.text}\n\n${house.systemName} never asks for your PIN.\nQuestions: ${house.supportEmail}\n`;
    messages.push({
      userId,
      channel: 'email',
      recipient: contact.email,
      subject: notification.subject,
      body,
    });
  }
  if ((settings.smsNotifications || isAboutAccess) && contact.phone && contact.isPhoneVerified) {
    const body = `${house.systemName}: ${notification.text}`;
    messages.push({ userId, channel: 'sms', recipient: contact.phone, subject: null, body, isAboutAccess });
  }
  return messages;
}

const when = (at: string): string => TIME.format(new Date(at));
/** For display only: nothing is computed from it. */
const amount = (value: string, currency: string): string => `${NUMBER.format(Number(value))} ${currency}`;
const word = (type: TransferChanged['type']): string => (type === 'withdrawal' ? 'withdrawal' : 'transfer');
