import { ConfigError } from '#config.ts';

const variableOf = (user: string) => `RABBITMQ_PASSWORD_${user.toUpperCase().replaceAll('-', '_')}`;

/** The password of a broker user: `RABBITMQ_PASSWORD_<USER>` in upper case with underscores. */
export function readBrokerPassword(user: string): string {
  const password = process.env[variableOf(user)];
  if (!password) throw new ConfigError(`${variableOf(user)} is missing: each user of the broker needs a password.`);
  return password;
}

/** Without the variable, a development value that is recognisable as such, and public: it is in the committed file. */
export const readDevelopmentPassword = (user: string): string => process.env[variableOf(user)] ?? `${user}-development`;
