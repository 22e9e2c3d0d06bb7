import { writeFile } from 'node:fs/promises';
import { topology } from '@vuka/contracts/topology';
import { readBrokerPassword } from '#messaging/config.ts';
import { buildDefinitions } from '#messaging/definitions.ts';

// Writes the broker's definitions: `npm run topology`, or, to deploy, with a path and passwords in the environment.
const [, , target = new URL('../../../../infra/rabbitmq/definitions.json', import.meta.url)] = process.argv;
await writeFile(target, `${JSON.stringify(buildDefinitions(topology, readBrokerPassword), null, 2)}\n`);
