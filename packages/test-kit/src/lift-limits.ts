const PROPOSER = { username: 'admin@vuka.test', pin: '2468' };
const APPROVER = { username: 'approver@vuka.test', pin: '8642' };
/** The highest limit that can be set. */
const LIMIT = '999999999999';

interface Administrators {
  address: string;
  proposer: string | undefined;
  approver: string | undefined;
}

/**
 * Lets one administrator of a running product with demo data credit as much as a load or a test needs, and merchants
 * send and receive as much: one demo administrator proposes the highest limits, the other approves them. May be
 * repeated.
 */
export async function liftLimits(address: string): Promise<void> {
  const [proposer, approver] = await Promise.all([PROPOSER, APPROVER].map((login) => signIn(address, login)));
  await liftCreditLimit({ address, proposer, approver });
  await liftTierLimits({ address, proposer, approver });
}

async function liftTierLimits({ address, proposer, approver }: Administrators): Promise<void> {
  const { body } = await call(address, 'GET', '/api/admin/limits', { cookie: proposer });
  const { limits } = body as { limits: { tier: string; currency: string }[] };
  const highest = { perTransaction: LIMIT, perDay: LIMIT, perMonth: LIMIT, perDayIn: LIMIT, perMonthIn: LIMIT };
  for (const { tier, currency } of limits) {
    const asked = { tier, currency, ...highest };
    const saved = await call(address, 'POST', '/api/admin/limits', { cookie: proposer, body: asked });
    const { proposal } = saved.body as { proposal?: { id: string } };
    if (!proposal) continue;
    const path = `/api/admin/tier-limit-proposals/${proposal.id}/approve`;
    await call(address, 'POST', path, { cookie: approver, body: { pin: APPROVER.pin } });
  }
}

async function liftCreditLimit({ address, proposer, approver }: Administrators): Promise<void> {
  const { body: settings } = await call(address, 'GET', '/api/admin/system-settings', { cookie: proposer });
  const { creditApprovalLimit: current } = settings as { creditApprovalLimit: object };
  const creditApprovalLimit = Object.fromEntries(Object.keys(current).map((currency) => [currency, LIMIT]));
  const saved = await call(address, 'POST', '/api/admin/system-settings', {
    cookie: proposer,
    body: { ...settings, creditApprovalLimit },
  });
  const { proposal } = saved.body as { proposal?: { id: string } };
  if (!proposal) return;
  const path = `/api/admin/limit-proposals/${proposal.id}/approve`;
  await call(address, 'POST', path, { cookie: approver, body: { pin: APPROVER.pin } });
}

async function signIn(address: string, login: typeof PROPOSER): Promise<string> {
  const { cookie } = await call(address, 'POST', '/api/login', { body: login });
  return cookie;
}

async function call(
  address: string,
  method: 'GET' | 'POST',
  path: string,
  { body, cookie }: { body?: object; cookie?: string | undefined },
): Promise<{ body: object; cookie: string }> {
  const response = await fetch(`${address}${path}`, {
    method,
    signal: AbortSignal.timeout(30_000),
    headers: {
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(cookie ? { cookie } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  const [setCookie = ''] = response.headers.getSetCookie();
  return { body: (await response.json()) as object, cookie: setCookie.split(';')[0] ?? '' };
}
