import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MUTATIONS = fileURLToPath(new URL('../mutations/', import.meta.url));

/** A patch that breaks one rule of the code, and the finding that the proof must report. */
export interface Mutation {
  name: string;
  /** The patch file. */
  path: string;
  /** What it breaks, in one sentence. */
  breaks: string;
  /** The arguments of `npm run prove` that inject the faults that reveal it. */
  args: string[];
  /** A finding of the proof must match. */
  reports: RegExp;
}

/** Every patch in `infra/prove/mutations`. Throws if the head of a patch does not say how to run it. */
export function readMutations(): Mutation[] {
  return readdirSync(MUTATIONS)
    .sort()
    .map((file) => readMutation(file.replace('.patch', ''), `${MUTATIONS}${file}`));
}

function readMutation(name: string, path: string): Mutation {
  const head = readFileSync(path, 'utf8').split('diff --git')[0] ?? '';
  const [, breaks, run, reports] = /^(.+)\n\nRun: (.+)\nReports: (.+)\n/.exec(head) ?? [];
  if (!breaks || !run || !reports) throw new Error(`${path} does not begin with what it breaks, "Run:" and "Reports:"`);
  return { name, path, breaks, args: splitWords(run), reports: new RegExp(reports) };
}

/** Words as a shell splits them; those in double quotes stay together. */
function splitWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}
