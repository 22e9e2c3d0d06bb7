import { randomBytes } from 'node:crypto';
import { generateServiceKeys } from './service-keys.ts';

/** The services that have a key of their own in `.env`, as `VUKA_SERVICE_KEY_<NAME>`. */
const PREFIX = 'VUKA_SERVICE_KEY_';
/** A new installation has no old keys. */
const STAYS_EMPTY = 'VUKA_RECEIPT_OLD_KEYS';

export const serviceKeyName = (service: string) => PREFIX + service.toUpperCase().replaceAll('-', '_');
const serviceOf = (name: string) => name.slice(PREFIX.length).toLowerCase().replaceAll('_', '-');

/** The text of `.env.example` with every empty value generated: all of them are secrets. */
export function fillIn(example: string): string {
  const names = [...example.matchAll(/^([A-Z_]+)=$/gm)].map(([, name = '']) => name);
  const services = names.filter((name) => name.startsWith(PREFIX)).map(serviceOf);
  const { privateKeys, publicKeys } = generateServiceKeys(services);
  const made: Record<string, string> = {
    [STAYS_EMPTY]: '',
    VUKA_SERVICE_PUBLIC_KEYS: publicKeys,
    ...Object.fromEntries(services.map((service) => [serviceKeyName(service), privateKeys[service] ?? ''])),
  };
  return example.replaceAll(/^([A-Z_]+)=$/gm, (_, name: string) => `${name}=${made[name] ?? makePassword()}`);
}

/** Passwords are part of addresses: letters and digits only. */
const makePassword = () => randomBytes(24).toString('hex');
