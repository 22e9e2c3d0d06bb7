import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Tells Prometheus when a backup ended: `directory` is read by node-exporter. The alert `BackupOld` needs it. */
export async function writeBackupFigure(directory: string, finishedAt: Date): Promise<void> {
  const file = join(directory, 'vuka-backup.prom');
  // Renamed into place, so that node-exporter never reads a partial file.
  await writeFile(`${file}.new`, `vuka_backup_finished_seconds ${Math.floor(finishedAt.getTime() / 1_000)}\n`);
  await rename(`${file}.new`, file);
}
