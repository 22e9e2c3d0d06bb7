import { runServiceCommand } from './service-command.ts';

// `npm run audit:verify`
await runServiceCommand('verify-audit');
