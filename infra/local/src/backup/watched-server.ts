import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from '@vuka/embedded-postgres';
import { watchPostgres } from '#watchdog.ts';

/** A server that ends with this process at the latest. */
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
