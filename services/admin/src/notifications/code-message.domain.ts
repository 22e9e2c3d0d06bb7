import type { IssuedCode } from '@vuka/contracts/internal/identity';
import type { CodeIssued } from '@vuka/contracts/messages/identity';
import type { House, Message } from './notification.domain.ts';

/**
 * The messages of a one-time code, which are sent whatever the notification settings are. They contain no text that a
 * user entered, so that nobody can send their own words from the operator's domain.
 */
export function codeMessages(
  { codeId, userId, purpose }: CodeIssued,
  { sentTo, digits, link }: IssuedCode,
  house: House & { publicUrl: string },
): Message[] {
  const warning = `${house.systemName} never asks for it. Do not share it with anyone.`;
  const sms = (body: string): Message => ({
    userId,
    channel: 'sms',
    recipient: sentTo,
    subject: null,
    body,
    hasCode: true,
  });
  const email = (recipient: string, subject: string, body: string): Message => {
    const footer = `\n\nQuestions: ${house.supportEmail}\n`;
    return { userId, channel: 'email', recipient, subject, body: body + footer, hasCode: true };
  };
  switch (purpose) {
    case 'verify_phone':
      return [sms(`${house.systemName} code: ${digits}. Valid for 10 minutes. ${warning}`)];
    case 'close_account':
      return [sms(`${house.systemName} code to close your account: ${digits}. Valid for 10 minutes. ${warning}`)];
    case 'verify_email':
      return [
        email(
          sentTo,
          `${digits} is your ${house.systemName} code`,
          `Your code is ${digits}. It is valid for 10 minutes. ${warning}`,
        ),
      ];
    case 'reset_pin': {
      const messages = [sms(`${house.systemName} PIN reset code: ${digits}. Valid for 10 minutes. ${warning}`)];
      if (!link) return messages;
      const url = `${house.publicUrl}/reset-pin#id=${codeId}&token=${link.token}`;
      const text = `Open this link within 10 minutes, and enter the code that we sent to your phone:\n\n${url}\n\nIf you did not ask for a new PIN, there is nothing to do.`;
      return [...messages, email(link.email, `Choose a new PIN for ${house.systemName}`, text)];
    }
  }
}

/** A stored message after it was sent: administrators must not read codes that work. */
export function withoutCode(text: string): string {
  return text.replace(/\b\d{6}\b/g, '••••••').replace(/token=[\w-]+/g, 'token=••••••');
}
