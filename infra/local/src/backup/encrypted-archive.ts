import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline as pipelineWith, Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import * as tar from 'tar';
import { StartError } from '#start-settings.ts';
import { syncDirectory, writeDurably } from './copy-files.ts';

interface Work {
  signal: AbortSignal;
  onBytes?: (bytes: number) => void;
}

/**
 * Writes a directory into one file that only the holders of the recipients' identities can read, in the format of age
 * (age-encryption.org/v1). Until the file is complete its name ends in `.partial`.
 */
export async function encryptDirectory(
  dir: string,
  file: string,
  { recipients, signal, onBytes = () => undefined }: Work & { recipients: readonly string[] },
): Promise<void> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) addRecipient(encrypter, recipient);
  const names = await readdir(dir);
  const packed = counted(tar.create({ cwd: dir, gzip: true, portable: true }, names) as never, onBytes);
  const encrypted = await encrypter.encrypt(packed);
  const draft = `${file}.partial`;
  try {
    const target = createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true });
    await pipeline(Readable.fromWeb(encrypted as never), target, { signal });
    await rename(draft, file);
    await syncDirectory(join(file, '..'));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/**
 * Opens an encrypted backup into a new directory. Throws a StartError if no identity fits, or if the file is cut off or
 * was changed; the directory is then removed.
 */
export async function decryptInto(
  dir: string,
  file: string,
  { identities, signal, onBytes = () => undefined }: Work & { identities: readonly string[] },
): Promise<void> {
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  try {
    const clear = await decrypter.decrypt(counted(createReadStream(file), onBytes));
    const unpacked = tar.extract({ cwd: dir, strict: true, filter: (_, entry) => isPlain(entry) });
    await pipeline(Readable.fromWeb(clear as never), unpacked as never, { signal });
  } catch (cause) {
    // Unpacking may create files for a moment after the failure.
    await rm(dir, { recursive: true, force: true, maxRetries: 20 });
    if (signal.aborted) throw cause;
    throw new StartError(`${file} cannot be opened: ${(cause as Error).message}. Nothing was changed.`, { cause });
  }
}

/** Refuses links, which could lead out of the directory. */
function isPlain(entry: object): boolean {
  return 'type' in entry ? entry.type === 'File' || entry.type === 'Directory' : false;
}

function addRecipient(encrypter: Encrypter, recipient: string): void {
  try {
    encrypter.addRecipient(recipient);
  } catch (cause) {
    throw new StartError(`${recipient} is no recipient of age, such as age1...`, { cause });
  }
}

/** The identities in a file of age-keygen: one per line, with comments. */
export async function readIdentities(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new StartError(`${file} cannot be read: ${cause.message}`, { cause });
  });
  const identities = text.split('\n').filter((line) => line.startsWith('AGE-SECRET-KEY-'));
  if (identities.length === 0) throw new StartError(`${file} has no identity of age, a line like AGE-SECRET-KEY-1...`);
  return identities.map((line) => line.trim());
}

/** Writes a new identity that only its owner can read, and returns its recipient. Throws if the file exists. */
export async function writeIdentity(file: string): Promise<string> {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  await writeDurably(file, `# public key: ${recipient}\n${identity}\n`);
  return recipient;
}

/** The same bytes as a web stream, which fails when the source does. */
function counted(source: NodeJS.ReadableStream, onBytes: (bytes: number) => void): ReadableStream<Uint8Array> {
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      onBytes(chunk.length);
      done(null, chunk);
    },
  });
  // A failure of the source destroys `counting`, whose reader reports it.
  pipelineWith(source, counting, () => undefined);
  return Readable.toWeb(counting) as never;
}
