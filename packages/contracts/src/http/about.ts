import * as z from 'zod/mini';

/** `GET /api/about`, public: the system's name, and the address for help. */
export const About = z.object({
  systemName: z.string(),
  supportEmail: z.string(),
  /** Present if payouts go to a simulator, whose failures administrators control. */
  isDemo: z.optional(z.boolean()),
});
export type About = z.infer<typeof About>;
