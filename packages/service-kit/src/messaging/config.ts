/**
 * The password of a user of the broker: `RABBITMQ_PASSWORD_<USER>` in upper case with underscores, else a value for
 * development that says so.
 */
export function readBrokerPassword(user: string): string {
  return process.env[`RABBITMQ_PASSWORD_${user.toUpperCase().replaceAll('-', '_')}`] ?? `${user}-development`;
}
