import * as z from 'zod/mini';

/** `GET /api/about`, for anybody: what the system calls itself, and where to write for help. */
export const About = z.object({ systemName: z.string(), supportEmail: z.string() });
export type About = z.infer<typeof About>;
