import { posix } from 'node:path';

/** The source files of one workspace, by their path from its `src`. */
export type Sources = ReadonlyMap<string, string>;

const IMPORT = /(?:from|import)\s*\(?\s*'([^']+)'/g;

/**
 * The pairs of folders that import each other, with an import in each direction. Imports of types count, because a
 * reader follows them too. A folder and one inside it are not a pair, and neither is the folder of the entry points.
 */
export function findFolderPairs(sources: Sources): string[] {
  const edges = new Map<string, string>();
  for (const [file, text] of sources) {
    for (const target of importsOf(file, text)) {
      if (sources.has(target)) edges.set(`${posix.dirname(file)} ${posix.dirname(target)}`, `${file} -> ${target}`);
    }
  }
  return [...edges].flatMap(([edge, there]) => {
    const [from = '', to = ''] = edge.split(' ');
    const back = edges.get(`${to} ${from}`);
    if (!back || from >= to || isInside(from, to) || isInside(to, from)) return [];
    return [`the folders ${from} and ${to} import each other: ${there}, ${back}`];
  });
}

/** Paths from `src`. Imports of other packages are omitted. */
function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(IMPORT)].map(([, target = '']) =>
    target.startsWith('#') ? target.slice(1) : posix.join(posix.dirname(file), target),
  );
}

function isInside(folder: string, outer: string): boolean {
  return outer === '.' || folder === outer || folder.startsWith(`${outer}/`);
}
