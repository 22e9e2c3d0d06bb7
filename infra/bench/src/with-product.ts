import { connectProduct, type Product } from './product.ts';
import { makeDataDir, runProduct } from './run-product.ts';
import { dropRun, type Servers } from './servers.ts';

/** Databases of measured runs begin with this. */
export const PREFIX = 'vukabench';

export interface ProductOptions {
  /** The checkout; by default this one. */
  root?: string;
  /** More settings of its processes. */
  env?: Record<string, string>;
}

/** Runs the product on these servers, with new books, for the time of `work`. */
export async function withProduct<Result>(
  servers: Servers,
  work: (product: Product) => Promise<Result>,
  { root, env: more }: ProductOptions = {},
): Promise<Result> {
  await dropRun(servers.postgresUrl, PREFIX);
  const dataDir = await makeDataDir();
  const env = {
    DATABASE_URL: servers.postgresUrl,
    AMQP_URL: servers.amqpUrl,
    VUKA_DATABASE_PREFIX: PREFIX,
    SIMULATOR_DELAY_MS: '0',
    VUKA_RATE_LIMIT_FACTOR: '1000000',
    ...more,
  };
  const run = await runProduct(dataDir.path, env, root);
  try {
    const product = await connectProduct(run);
    return await work(product).finally(() => product.close());
  } finally {
    await run.stop();
    await dropRun(servers.postgresUrl, PREFIX);
    await dataDir.remove();
  }
}
