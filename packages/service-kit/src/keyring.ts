import { createHash } from 'node:crypto';
import * as z from 'zod/mini';

export interface Key {
  /** 16 hexadecimal digits, derived from the secret, so that nobody has to name it. */
  id: string;
  secret: string;
}

/** The secrets of one purpose, newest first. */
export interface Keyring {
  /** The key that signs and encrypts now. */
  current: Key;
  /** All accepted keys: the current one, and those that it replaced. */
  all: readonly Key[];
  find(id: string): Key | undefined;
}

const SHORTEST_SECRET = 32;

/** Reads secrets separated by commas, the newest first. Throws if there is none. */
export function readKeyring(text: string): Keyring {
  const all = secretsIn(text).map((secret) => ({ id: idOf(secret), secret }));
  const [current] = all;
  if (!current) throw new Error('a keyring needs a secret');
  return { current, all, find: (id) => all.find((key) => key.id === id) };
}

/** A setting that holds a keyring: secrets of 32 characters or more, separated by commas. No default. */
export const keyringSetting = () =>
  z.pipe(
    z.string().check(
      z.refine((text) => secretsIn(text).length > 0 && secretsIn(text).every(isLongEnough), {
        error: `must have ${SHORTEST_SECRET} characters or more; several secrets are separated by commas`,
      }),
    ),
    z.transform(readKeyring),
  );

const isLongEnough = (secret: string) => secret.length >= SHORTEST_SECRET;

function secretsIn(text: string): string[] {
  return text.split(',').flatMap((part) => part.trim() || []);
}

function idOf(secret: string): string {
  return createHash('sha256').update(`vuka key id${secret}`).digest('hex').slice(0, 16);
}
