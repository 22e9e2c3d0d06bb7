import { expect, test } from 'vitest';
import { findFolderPairs } from './folder-pairs.ts';

const sources = (files: Record<string, string>) => new Map(Object.entries(files));

test('folders that import each other are found, including imports of types and through #', () => {
  const pairs = findFolderPairs(
    sources({
      'orders/accept.ts': "import type { Step } from '#saga/step.ts';",
      'saga/step.ts': "import { other } from './other.ts';",
      'saga/other.ts': "const names = await import('../orders/names.ts');",
      'orders/names.ts': '',
    }),
  );
  expect(pairs).toEqual([
    'the folders orders and saga import each other: orders/accept.ts -> saga/step.ts, saga/other.ts -> orders/names.ts',
  ]);
});

test('a folder and one inside it may import each other; entry points may import everything', () => {
  const pairs = findFolderPairs(
    sources({
      'main.ts': "import '#payouts/create.ts';",
      'config.ts': '',
      'payouts/create.ts': "import './pawapay/provider.ts';\nimport '#config.ts';",
      'payouts/pawapay/provider.ts': "import '../port.ts';",
      'payouts/port.ts': '',
    }),
  );
  expect(pairs).toEqual([]);
});
