import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(html|js|css|svg|json|txt|webmanifest)$/;

async function writeCompressed(path: string): Promise<void> {
  const content = await readFile(path);
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
}

/** Writes a `.br` and a `.gz` beside each text file of the build, so that the server compresses nothing per request. */
export function precompress(): Plugin {
  let outputFolder = 'dist';
  return {
    name: 'vuka-precompress',
    apply: 'build',
    configResolved(config) {
      outputFolder = join(config.root, config.build.outDir);
    },
    async closeBundle() {
      const entries = await readdir(outputFolder, { recursive: true, withFileTypes: true });
      const paths = entries
        .filter((entry) => entry.isFile() && COMPRESSIBLE.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name));
      await Promise.all(paths.map(writeCompressed));
    },
  };
}
