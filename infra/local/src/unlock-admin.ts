import { runIdentityCommand } from './identity-command.ts';

// `npm run admin:unlock -- --email <email>`
await runIdentityCommand('unlock-admin.ts');
