import { resolve } from 'node:path';
import type { Plugin } from 'vite';
import { checkBudgets, weigh } from './check-budgets.ts';
import { precompress } from './precompress.ts';
import { writePages } from './write-pages.ts';
import { writeServiceWorker } from './write-service-worker.ts';

/** The build steps after the bundle is written, in order. */
export function finishBuild(): Plugin {
  let root = '';
  let outputFolder = '';
  return {
    name: 'vuka-finish-build',
    apply: 'build',
    configResolved(config) {
      root = config.root;
      outputFolder = resolve(config.root, config.build.outDir);
    },
    async writeBundle(_, bundle) {
      await writePages(root, outputFolder, bundle);
      await writeServiceWorker(root, outputFolder, bundle);
      const weights = await weigh(outputFolder, bundle);
      for (const { item, bytes, limit } of weights) this.info(`${item}: ${bytes} of ${limit} bytes`);
      checkBudgets(weights);
      await precompress(outputFolder);
    },
  };
}
