import { runServiceCommand } from './service-command.ts';

// `npm run admin:unlock -- --email <email>`
await runServiceCommand('unlock-admin');
