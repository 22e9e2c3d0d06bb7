import * as z from 'zod/mini';
import { SEED_BYTES } from './ed25519.ts';

export class ConfigError extends Error {
  override name = 'ConfigError';
}

const port = z.coerce.number().check(z.int(), z.gte(0), z.lte(65_535));

const seeds = z.pipe(
  z.string().check(z.regex(/^[\w-]{43}(,[\w-]{43})*$/, { error: `must be ${SEED_BYTES} bytes in base64url` })),
  z.transform((text) => Buffer.from(text.split(',')[0] ?? '', 'base64url')),
);

const publicKeys = z.pipe(
  z
    .string()
    .check(z.regex(/^[a-z-]+:[\w-]{43}(,[a-z-]+:[\w-]{43})*$/, { error: 'must be like name:<key>,name:<key>' })),
  z.transform((text) => {
    const keys = new Map<string, string[]>();
    for (const entry of text.split(',')) {
      const [service = '', key = ''] = entry.split(':');
      keys.set(service, [...(keys.get(service) ?? []), key]);
    }
    return keys;
  }),
);

/** The settings that every service reads. `DATABASE_URL` is the service's own database. */
export const serviceSettings = {
  NODE_ENV: z._default(z.enum(['development', 'test', 'production']), 'development'),
  LOG_LEVEL: z._default(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
  HOST: z._default(z.string(), '127.0.0.1'),
  PORT: port,
  /**
   * The seed of this service's own key, with which it signs its calls: 32 bytes, base64url. Of several, separated by
   * commas, the first is used. No default, as for every secret.
   */
  VUKA_SERVICE_KEY: seeds,
  /** Each service's public keys, as `name:key`, separated by commas. A name may be listed several times. */
  VUKA_SERVICE_PUBLIC_KEYS: publicKeys,
  DATABASE_URL: z.url(),
  AMQP_URL: z.optional(z.url()),
  BUS_DATABASE_URL: z.optional(z.url()),
  /** Declare exchanges and queues at start. Off where the broker loads its definitions from a file. */
  VUKA_ASSERT_TOPOLOGY: z._default(z.stringbool(), true),
  /** The OTLP/HTTP receiver of traces, such as http://jaeger:4318. Without it none are collected. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.optional(z.url()),
  /** The share of business processes that are traced, from 0 to 1: the same for all services. */
  OTEL_TRACES_SAMPLER_ARG: z._default(z.coerce.number().check(z.gte(0), z.lte(1)), 1),
  /** `release-0.1` while processes of that release run: they cannot read the names that CloudEvents demands. */
  VUKA_EVENT_NAMES: z._default(z.enum(['cloudevents', 'release-0.1']), 'cloudevents'),
};

/** Node fires a timer beyond this at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A setting used as a timer, in seconds. */
export const timerSeconds = (fallback: number) =>
  z._default(z.coerce.number().check(z.gt(0), z.lte(Math.floor(LONGEST_TIMER_MS / 1_000))), fallback);

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Whether an address reaches only this machine, as that of a demonstration does. One that is not set may be public. */
export const isLoopback = (url: string | undefined): boolean =>
  url !== undefined && LOOPBACK.has(new URL(url).hostname);

/** Reads and checks the environment; throws a ConfigError that names every invalid variable, never its value. */
export function readConfig<Shape extends z.core.$ZodShape>(
  shape: Shape,
  env: NodeJS.ProcessEnv = process.env,
): z.infer<z.ZodMiniObject<Shape, z.core.$strip>> {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = z.object(shape).safeParse(present);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigError(`The environment is not complete.\n  ${problems.join('\n  ')}\nSee .env.example.`);
}
