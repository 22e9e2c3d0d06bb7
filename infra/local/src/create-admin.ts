import { runIdentityCommand } from './identity-command.ts';

// `npm run admin:create -- --email <email>`
await runIdentityCommand('create-admin.ts');
