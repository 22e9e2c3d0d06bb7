import { randomBytes } from 'node:crypto';
import { privateKeyOf, publicTextOf, SEED_BYTES } from '@vuka/service-kit/ed25519';
import { readKeyring } from '@vuka/service-kit/keyring';
import { serviceKeyName } from './env-file.ts';
import { StartError } from './start-settings.ts';

/** Settings by name: those of `.env`, or the generated ones of `secrets.json`. */
export type Values = Record<string, string | undefined>;

/** How a secret is replaced: the new key is added, then used, then the old one is removed. */
export const STEPS = ['add', 'use', 'remove'] as const;
export type Step = (typeof STEPS)[number];

/** The secrets that are lists of keys, by the names that the command knows. */
export const KEY_LISTS: Record<string, string> = {
  'pin-pepper': 'VUKA_PIN_PEPPER',
  'session-secret': 'VUKA_SESSION_SECRET',
  'receipt-key': 'VUKA_RECEIPT_KEY',
  'audit-key': 'VUKA_AUDIT_KEY',
  'identity-data-key': 'VUKA_DATA_KEY_IDENTITY',
  'admin-data-key': 'VUKA_DATA_KEY_ADMIN',
  'integration-log-data-key': 'VUKA_DATA_KEY_INTEGRATION_LOG',
};
/** Their signatures never expire, so old keys are never removed. */
export const KEPT_FOR_EVER = ['receipt-key', 'audit-key'];
const PUBLIC_KEYS = 'VUKA_SERVICE_PUBLIC_KEYS';

const listOf = (text: string | undefined) => (text ?? '').split(',').filter((part) => part !== '');

/** The changed settings of one step. Throws a StartError if the step does not apply. */
export function changeKeys(values: Values, step: Step, name: string): Values {
  if (!KEY_LISTS[name]) return changeServiceKey(values, step, name);
  if (step === 'remove' && KEPT_FOR_EVER.includes(name)) {
    throw new StartError(`What the old ${name} signed would no longer be accepted, so it stays in the list.`);
  }
  const setting = KEY_LISTS[name];
  return { [setting]: changeList(values[setting], step, name, randomBytes(32).toString('base64url')) };
}

function changeServiceKey(values: Values, step: Step, service: string): Values {
  const setting = serviceKeyName(service);
  if (!values[setting]) {
    throw new StartError(
      `There is no secret ${service} here. Known: ${Object.keys(KEY_LISTS).join(', ')}, and services.`,
    );
  }
  const changed = changeList(values[setting], step, service, randomBytes(SEED_BYTES).toString('base64url'));
  const others = listOf(values[PUBLIC_KEYS]).filter((entry) => !entry.startsWith(`${service}:`));
  const own = listOf(changed).map((seed) => `${service}:${publicTextOf(privateKeyOf(Buffer.from(seed, 'base64url')))}`);
  return { [setting]: changed, [PUBLIC_KEYS]: [...others, ...own].join(',') };
}

/** The first key of a list is used. `add` inserts a key after it, and `use` swaps the two; a repeat swaps them back. */
function changeList(text: string | undefined, step: Step, name: string, made: string): string {
  const [used, second, ...older] = listOf(text);
  if (used === undefined) throw new StartError(`${name} is not set here.`);
  if (step === 'add') return [used, made, ...(second ? [second] : []), ...older].join(',');
  if (second === undefined) throw new StartError(`${name} has one key only: add one first.`);
  return step === 'use' ? [second, used, ...older].join(',') : used;
}

/** The ids of the keys of each list, the used one first. */
export function idsOf(values: Values): { name: string; ids: string[] }[] {
  return Object.entries(KEY_LISTS).flatMap(([name, setting]) => {
    const text = values[setting];
    return text ? [{ name, ids: readKeyring(text).all.map(({ id }) => id) }] : [];
  });
}
