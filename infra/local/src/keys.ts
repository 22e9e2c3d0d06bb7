import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endAsMisused, readArguments } from '@vuka/service-kit/command-line';
import { changeKeys, idsOf, KEY_LISTS, STEPS, type Values } from './key-lists.ts';
import { KEPT, writePrivately } from './secrets.ts';
import { readSettings, resolveDir, StartError } from './start-settings.ts';

// `npm run keys [-- add|use|remove <secret>] [--env-file .env]`: lists and replaces secrets.

const USAGE = `Usage: npm run keys                                   list the keys of each secret
       npm run keys -- ${STEPS.join('|')} <secret>          one step of replacing it, in the data directory
       npm run keys -- ... --env-file .env          the same in a file of settings`;

/** Where secrets are kept. */
interface Store {
  file: string;
  values: Values;
  write(changed: Values): Promise<void>;
}

async function openEnvFile(path: string): Promise<Store> {
  const file = resolveDir(path);
  const text = await readFile(file, 'utf8').catch(() => {
    throw new StartError(`${file} cannot be read.`);
  });
  const values = Object.fromEntries([...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
  return {
    file,
    values,
    write: (changed) =>
      writePrivately(
        file,
        text.replaceAll(/^([A-Z_]+)=(.*)$/gm, (line, name: string) =>
          changed[name] ? `${name}=${changed[name]}` : line,
        ),
      ),
  };
}

async function openDataDir(): Promise<Store> {
  const { dataDir } = readSettings({ ...process.env, NODE_ENV: 'development' });
  const file = join(dataDir, 'secrets.json');
  const kept = JSON.parse(
    await readFile(file, 'utf8').catch(() => {
      throw new StartError(`There are no secrets in ${dataDir}. For a file of settings: --env-file .env`);
    }),
  ) as Record<string, string>;
  const values = Object.fromEntries(KEPT.map(([name, setting]) => [setting, kept[name]]));
  return {
    file,
    values,
    async write(changed) {
      const overridden = Object.keys(changed).find((setting) => process.env[setting]);
      if (overridden) throw new StartError(`${overridden} is set in the environment: change it there.`);
      const own = Object.fromEntries(
        KEPT.flatMap(([name, setting]) => (changed[setting] ? [[name, changed[setting]]] : [])),
      );
      await writePrivately(file, `${JSON.stringify({ ...kept, ...own }, null, 2)}\n`);
    },
  };
}

async function main(): Promise<void> {
  const { values: options, positionals } = readArguments(USAGE, {
    options: { 'env-file': { type: 'string' } },
    allowPositionals: true,
  });
  const store = options['env-file'] ? await openEnvFile(options['env-file']) : await openDataDir();
  const [given, name] = positionals;
  if (given === undefined) {
    console.log(`The secrets in ${store.file}; the first key is used, the others are accepted:`);
    for (const { name: secret, ids } of idsOf(store.values)) console.log(`  ${secret.padEnd(16)} ${ids.join(', ')}`);
    return;
  }
  const step = STEPS.find((known) => known === given);
  if (!step || !name) endAsMisused(USAGE);
  await store.write(changeKeys(store.values, step, name));
  console.log(
    `${name}: done in ${store.file}. Restart ${KEY_LISTS[name] ? 'the services that read it' : 'the services'}.`,
  );
}

main().catch((error: unknown) => {
  console.error(error instanceof StartError ? error.message : error);
  process.exitCode = 1;
});
