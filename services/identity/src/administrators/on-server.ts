import { uuidv7 } from '@vuka/service-kit/ids';

/** The source and actor of an audit entry about a command: an unidentified person with access to the server. */
export const onServer = (command: string) => ({
  source: '/vuka/identity',
  caller: {
    userId: '00000000-0000-0000-0000-000000000000',
    adminId: null,
    name: `On the server (npm run ${command})`,
    requestId: uuidv7(),
  },
});
