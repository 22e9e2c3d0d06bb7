import { execFile } from 'node:child_process';
import { chown, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DataPlace } from '@vuka/embedded-postgres';
import pg from 'pg';

/** Not copied: a standby must not have the files, and starts with the directories empty. */
const LEFT_OUT = new Set(['pg_wal', 'pg_replslot', 'postmaster.pid', 'postmaster.opts']);
const EMPTY = ['pg_wal', join('pg_wal', 'archive_status'), 'pg_replslot'];
/** Harmless: a running server deletes files, and its write-ahead log records that. */
const VANISHED = /No such file or directory$/;

/**
 * Copies a running cluster to `to`, ready to be started as a standby. The embedded programs have no pg_basebackup. Throws if
 * anything but a vanished file could not be copied.
 */
export async function copyRunning(url: string, cluster: string, to: { cluster: string } & DataPlace): Promise<void> {
  const write = async (name: string, text: string) => {
    await writeFile(join(to.cluster, name), text, { mode: 0o600 });
    if (to.user) await chown(join(to.cluster, name), to.user.uid, to.user.gid);
  };
  const session = new pg.Client({ connectionString: url });
  session.on('error', () => undefined); // the statement fails too
  await session.connect();
  try {
    await session.query(`select pg_backup_start('standby', true)`);
    await mkdir(to.cluster, { mode: 0o700 });
    if (to.user) await chown(to.cluster, to.user.uid, to.user.gid);
    const entries = (await readdir(cluster)).filter((name) => !LEFT_OUT.has(name));
    await copyWithOwner(
      entries.map((name) => join(cluster, name)),
      to.cluster,
    );
    for (const name of EMPTY) {
      await mkdir(join(to.cluster, name), { mode: 0o700 });
      if (to.user) await chown(join(to.cluster, name), to.user.uid, to.user.gid);
    }
    const { rows } = await session.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await write('backup_label', rows[0]?.labelfile ?? '');
    await write('standby.signal', '');
    // The primary's own settings must not apply to the standby.
    await write('postgresql.auto.conf', '');
  } finally {
    await session.end().catch(() => undefined);
  }
}

async function copyWithOwner(paths: readonly string[], to: string): Promise<void> {
  try {
    await promisify(execFile)('cp', ['-a', ...paths, to], { env: { ...process.env, LC_ALL: 'C' } });
  } catch (error) {
    const lines = (error as { stderr?: string }).stderr?.trim().split('\n') ?? [];
    if (lines.length === 0 || !lines.every((line) => VANISHED.test(line))) throw error;
  }
}
