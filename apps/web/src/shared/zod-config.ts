import * as z from 'zod/mini';

// The content security policy forbids compiling code from strings. Must run before any schema is created.
z.config({ jitless: true });
