import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { builtScript } from './service-build.ts';
import { type PlanInput, planWalletMigration, withoutSecrets } from './services.ts';
import { CACHE_DIR, StartError } from './start-settings.ts';

const execute = promisify(execFile);

/** Migrates the ledger's database in a process that ends before the wallet starts. Throws a StartError. */
export async function migrateWallet(input: Omit<PlanInput, 'ports' | 'webRoot'>): Promise<void> {
  const { script, env } = planWalletMigration(input);
  try {
    await execute(process.execPath, [builtScript(script)], {
      env: { ...withoutSecrets(input.settings.env), ...env, NODE_COMPILE_CACHE: CACHE_DIR },
    });
  } catch (cause) {
    const { stdout = '', stderr = '' } = cause as { stdout?: string; stderr?: string };
    throw new StartError(`The ledger's tables could not be migrated.\n${stdout}${stderr}`, { cause });
  }
}
