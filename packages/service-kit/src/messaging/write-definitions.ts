import { writeFile } from 'node:fs/promises';
import { topology } from '@vuka/contracts/topology';
import { readBrokerPassword, readDevelopmentPassword } from '#messaging/config.ts';
import { buildDefinitions } from '#messaging/definitions.ts';

// Writes the broker's definitions: `npm run topology`, or, to deploy, with a path and every password in the environment.
const [, , path] = process.argv;
const target = path ?? new URL('../../../../infra/rabbitmq/definitions.json', import.meta.url);
const definitions = buildDefinitions(topology, path ? readBrokerPassword : readDevelopmentPassword);
await writeFile(target, `${JSON.stringify(definitions, null, 2)}\n`);
