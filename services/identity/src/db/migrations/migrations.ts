import * as users from './0001-users.ts';
import * as savedRecipients from './0002-saved-recipients.ts';

export const migrations = { '0001-users': users, '0002-saved-recipients': savedRecipients };
