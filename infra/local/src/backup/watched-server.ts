import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from '@vuka/embedded-postgres';
import { watchPostgres } from '#watchdog.ts';

/** A server for as long as this process lives, and no longer. */
export async function startWatchedServer(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres(options);
  const watchdog = await watchPostgres(options.dataDir);
  return {
    ...server,
    async stop() {
      await server.stop();
      watchdog.dismiss();
    },
  };
}
