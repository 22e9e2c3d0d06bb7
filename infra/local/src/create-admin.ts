import { runServiceCommand } from './service-command.ts';

// `npm run admin:create -- --email <email>`
await runServiceCommand('create-admin');
