import { type SpawnOptions, spawn } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';

/**
 * Builds a folder in a temporary place beside it and then moves it: another run may be using, or building, the same
 * files. Both places must be on one file system.
 */
export async function buildFolder(
  folder: string,
  draft: string,
  build: (draft: string) => Promise<void>,
): Promise<void> {
  const old = `${draft}.old`;
  try {
    await build(draft);
    await rename(folder, old).catch(() => undefined);
    await rename(draft, folder).catch((error: NodeJS.ErrnoException) => {
      // Another run was faster; its files were made of the same sources.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await Promise.all([draft, old].map((path) => rm(path, { recursive: true, force: true })));
  }
}

/** Runs a script of a build tool under this Node; resolves with the end of its output. */
export function runBuild(args: string[], options: SpawnOptions): Promise<{ isDone: boolean; output: string }> {
  const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output = (output + chunk).slice(-4000);
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve({ isDone: code === 0, output }));
  });
}
