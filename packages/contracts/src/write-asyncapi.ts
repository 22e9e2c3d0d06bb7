import { writeFile } from 'node:fs/promises';
import { describeMessages } from './asyncapi.ts';

const target = new URL('../../../docs/asyncapi.json', import.meta.url);
await writeFile(target, `${JSON.stringify(describeMessages(), null, 2)}\n`);
