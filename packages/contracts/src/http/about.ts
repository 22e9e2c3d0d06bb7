import * as z from 'zod/mini';

/** `GET /api/about`, for anybody: what the system calls itself, and where to write for help. */
export const About = z.object({
  systemName: z.string(),
  supportEmail: z.string(),
  /** There where payouts go to a simulator, whose failures administrators switch. */
  isDemo: z.optional(z.boolean()),
});
export type About = z.infer<typeof About>;
