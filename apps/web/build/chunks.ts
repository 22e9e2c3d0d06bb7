import type { Rolldown } from 'vite';

export type Bundle = Rolldown.OutputBundle;
export type Chunk = Rolldown.OutputChunk;

export function chunksOf(bundle: Bundle): Chunk[] {
  return Object.values(bundle).filter((file) => file.type === 'chunk');
}

/** A chunk and everything it imports statically, all of which must load before it runs. */
export function withImports(bundle: Bundle, fileName: string): Set<string> {
  const found = new Set<string>();
  const visit = (name: string): void => {
    const file = bundle[name];
    if (file?.type !== 'chunk' || found.has(name)) return;
    found.add(name);
    for (const imported of file.imports) visit(imported);
  };
  visit(fileName);
  return found;
}

export function entryOf(bundle: Bundle): Chunk {
  const entry = chunksOf(bundle).find((chunk) => chunk.isEntry);
  if (!entry) throw new Error('the build has no entry');
  return entry;
}

/** The chunk with the renderer, which the entry starts in its own task. */
export function rendererChunk(bundle: Bundle): Chunk {
  const chunk = chunksOf(bundle).find(({ facadeModuleId }) => facadeModuleId?.includes('/react-dom/client'));
  if (!chunk) throw new Error('react-dom/client has no chunk of its own');
  return chunk;
}

function chunkOf(bundle: Bundle, file: string): Chunk {
  const chunk = chunksOf(bundle).find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/${file}`));
  if (!chunk) throw new Error(`${file} has no chunk of its own`);
  return chunk;
}

/** The chunk of a page, found by its file in `src/pages`. */
export function pageChunk(bundle: Bundle, file: string): Chunk {
  return chunkOf(bundle, `src/pages/${file}`);
}

/** The chunk with the frame of all pages behind the sign-in. */
export function frameChunk(bundle: Bundle): Chunk {
  return chunkOf(bundle, 'src/app/shell/signed-in.tsx');
}
