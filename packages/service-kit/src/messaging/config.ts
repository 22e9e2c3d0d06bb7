/**
 * The password of a broker user: `RABBITMQ_PASSWORD_<USER>` in upper case with underscores, or a development value
 * that is recognisable as such.
 */
export function readBrokerPassword(user: string): string {
  return process.env[`RABBITMQ_PASSWORD_${user.toUpperCase().replaceAll('-', '_')}`] ?? `${user}-development`;
}
