import * as z from 'zod/mini';
import { reason } from '../texts/reason.ts';
import { Id, Pin, Timestamp } from './common.ts';

export const SecondFactor = z.object({
  id: Id,
  kind: z.enum(['passkey', 'totp']),
  name: z.string(),
  addedAt: Timestamp,
  lastUsedAt: z.nullable(Timestamp),
});
export type SecondFactor = z.infer<typeof SecondFactor>;

/** `GET /api/admin/second-factors`. */
export const SecondFactors = z.object({
  factors: z.array(SecondFactor),
  /** The last one cannot be removed. */
  isRequired: z.boolean(),
});
export type SecondFactors = z.infer<typeof SecondFactors>;

/** Names that WebAuthn gives to its values; identity's library checks what is in them. */
const Credential = z.object({
  id: z.string().check(z.maxLength(2_000)),
  rawId: z.string().check(z.maxLength(2_000)),
  type: z.literal('public-key'),
  response: z.record(z.string(), z.unknown()),
  clientExtensionResults: z.record(z.string(), z.unknown()),
  authenticatorAttachment: z.optional(z.string()),
});

const Name = z
  .string({ error: reason('factor_name_missing') })
  .check(
    z.trim(),
    z.minLength(1, { error: reason('factor_name_missing') }),
    z.maxLength(60, { error: reason('factor_name_too_long', { max: 60 }) }),
  );

const invalidCode = { error: reason('code_digits') };
/** The digits of an authenticator app; it may show them in two groups. */
export const TotpCode = z.string(invalidCode).check(
  z.overwrite((code) => code.replaceAll(' ', '')),
  z.regex(/^\d{6}$/, invalidCode),
);

/** What `navigator.credentials.create` and `.get` are called with, in WebAuthn's JSON form. */
export const PasskeyOptions = z.object({ options: z.record(z.string(), z.unknown()) });

/** `POST /api/admin/second-factors/passkey`. */
export const AddPasskey = z.object({ name: Name, credential: Credential });

/** The secret of an authenticator app: for typing, and as the `otpauth:` address of a QR code. Shown once. */
export const TotpSecret = z.object({ secret: z.string(), uri: z.string() });

/** `POST /api/admin/second-factors/totp`: the code shows that the app has the secret. */
export const AddTotp = z.object({ name: Name, code: TotpCode });

/** A second factor, given: a passkey's answer to the challenge, or an authenticator app's code. */
export const GivenFactor = z.union([z.object({ credential: Credential }), z.object({ code: TotpCode })]);
export type GivenFactor = z.infer<typeof GivenFactor>;

/**
 * `POST /api/admin/step-up`: the PIN after `pin_not_recent`, the second factor after `factor_not_recent` and
 * `factor_pending`.
 */
export const StepUp = z
  .object({ pin: z.optional(Pin), code: z.optional(TotpCode), credential: z.optional(Credential) })
  .check(
    z.refine(
      ({ pin, code, credential }) => [pin, code, credential].filter((given) => given !== undefined).length === 1,
      {
        error: reason('step_up_of_one'),
      },
    ),
  );
