import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#start-settings.ts';

interface Locked {
  link?: boolean;
  integrity?: string;
  resolved?: string;
  optional?: boolean;
  cpu?: string[];
}

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};
const archives = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);

test('npm ci verifies every package: the lockfile has its hash (npm run lockfile adds it)', () => {
  const unverified = archives.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
  // Tools for other platforms, which the registry in use may lack; npm installs none of them here.
  const forOthers = unverified.filter(([, { optional, cpu }]) => optional && cpu);
  expect(unverified.filter((entry) => !forOthers.includes(entry)).map(([path]) => path)).toEqual([]);
  expect(archives.length).toBeGreaterThan(400);
});

test('the lockfile names no registry, so that any mirror serves', () => {
  expect(archives.filter(([, { resolved, link }]) => resolved && !link).map(([path]) => path)).toEqual([]);
});
