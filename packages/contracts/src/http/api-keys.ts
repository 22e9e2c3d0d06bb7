import * as z from 'zod/mini';
import { reason } from '../texts/reason.ts';
import { Id, PinConfirmation, Timestamp } from './common.ts';

/** A key that another program presents as `Authorization: Bearer ...`: `vuka_` and 32 random bytes, base64url. */
export const API_KEY_PATTERN = /^vuka_[\w-]{43}$/;

/** A key as administrators see it: never the key itself, of which only a hash is stored. */
export const ApiKey = z.object({
  id: Id,
  name: z.string(),
  /** The last four characters of the key, by which its owner recognises it. */
  ending: z.string(),
  createdAt: Timestamp,
  createdBy: z.object({ adminId: z.string(), name: z.string() }),
  /** To the minute; null if never used. */
  lastUsedAt: z.nullable(Timestamp),
  /** The key is refused from this time on. */
  revokedAt: z.nullable(Timestamp),
  /** The key is refused while its issuer is blocked or may not issue keys. Missing in answers of the release before. */
  isIssuerBarred: z.optional(z.boolean()),
});
export type ApiKey = z.infer<typeof ApiKey>;

/** `GET /api/admin/api-keys`: newest first. */
export const ApiKeys = z.object({ apiKeys: z.array(ApiKey) });

/** `POST /api/admin/api-keys`. */
export const IssueApiKey = z.extend(
  z.object({
    name: z
      .string({ error: reason('name_missing') })
      .check(
        z.trim(),
        z.minLength(1, { error: reason('name_missing'), abort: true }),
        z.maxLength(60, { error: reason('key_name_too_long', { max: 60 }) }),
      ),
  }),
  PinConfirmation.shape,
);
export type IssueApiKey = z.infer<typeof IssueApiKey>;

/** The only answer that contains the key itself. */
export const IssuedApiKey = z.object({ apiKey: ApiKey, key: z.string() });
export type IssuedApiKey = z.infer<typeof IssuedApiKey>;

/** `POST /api/admin/api-keys/{id}/revoke`. */
export const RevokedApiKey = z.object({ apiKey: ApiKey });
