import type { Pricing } from '@vuka/contracts/internal/pricing';
import type { WalletCommand, WalletResult } from '@vuka/contracts/internal/wallet';
import { formatMoney, inverseSellRate, parseMoney, sellRate } from '@vuka/money';
import { byCurrency, WALLET_CURRENCIES } from '@vuka/money/currencies';
import { fastify } from 'fastify';

/** The wallet, identity and rates services as transfers sees them: over HTTP, with switches for failures. */
export async function startFakeServices() {
  const app = fastify();
  const balances = new Map<string, bigint>();
  const results = new Map<string, WalletResult>();
  const holds = new Map<string, { userId: string; amount: bigint; state: 'open' | 'captured' | 'released' }>();
  const asked: WalletCommand[] = [];
  const applied: WalletCommand[] = [];
  const merchants = new Map<string, { userId: string; name: string; tier?: string }>();
  /** What was sent to the provider, in minor units. */
  const floats = new Map<string, bigint>();
  const frozen = new Set<string>();
  /** Accounts that identity has closed. */
  const closed = new Set<string>();
  const blocked = new Set<string>();
  /** Accounts that identity does not know. */
  const unknown = new Set<string>();
  /** Accounts about which identity does not answer. */
  const unanswered = new Set<string>();
  /** Accounts whose state was asked for, repeats included. */
  const statesAsked: string[] = [];
  /** Administrators who were blocked. */
  const formerAdministrators = new Set<string>();
  const switches = {
    walletUnavailable: false,
    identityUnavailable: false,
    ratesUnavailable: false,
    noRate: false,
    walletAnswersLost: 0,
  };
  const away = { error: 'away', code: 'unavailable', requestId: 'x' };
  let pricing = pricingOf(1, '23.5', '2');

  function decide(command: WalletCommand): WalletResult {
    const balance = balances.get(command.userId) ?? 0n;
    const refused = (reason: 'insufficient_funds' | 'hold_not_open' | 'account_frozen') =>
      ({ outcome: 'rejected', replayed: false, journalId: '1', reason }) as const;
    if (command.kind === 'hold') {
      const amount = parseMoney(command.amount);
      if (balance < amount) return refused('insufficient_funds');
      balances.set(command.userId, balance - amount);
      holds.set(command.key, { userId: command.userId, amount, state: 'open' });
    } else if (command.kind === 'deposit') {
      balances.set(command.userId, balance + parseMoney(command.amount));
    } else {
      const hold = holds.get(command.holdKey);
      if (hold?.state !== 'open') return refused('hold_not_open');
      if (isFrozen(command)) return refused('account_frozen');
      hold.state = command.kind === 'capture' ? 'captured' : 'released';
      if (command.kind === 'release') balances.set(hold.userId, balance + hold.amount);
    }
    applied.push(command);
    return { outcome: 'applied', replayed: false, journalId: '1' };
  }

  function isFrozen(command: WalletCommand): boolean {
    const receiver = command.kind === 'capture' && command.destination.kind === 'wallet' && command.destination.userId;
    return frozen.has(command.userId) || (receiver !== false && frozen.has(receiver));
  }

  app.post<{ Body: { items: WalletCommand[] } }>('/wallet/internal/commands-batch', async (request, reply) => {
    if (switches.walletUnavailable) return reply.code(503).send(away);
    asked.push(...request.body.items);
    const answers = request.body.items.map((command) => {
      const result = results.get(command.key) ?? decide(command);
      // A frozen account's refusal is not recorded, since the account may be unfrozen.
      if (!('reason' in result && result.reason === 'account_frozen')) results.set(command.key, result);
      return result;
    });
    if (switches.walletAnswersLost > 0) {
      switches.walletAnswersLost -= 1;
      request.raw.destroy();
      return reply;
    }
    return { results: answers };
  });
  app.post<{ Body: { items: { userId: string }[] } }>('/wallet/internal/balances-batch', async (request, reply) => {
    if (switches.walletUnavailable) return reply.code(503).send(away);
    const stateOf = (userId: string) => {
      const available = formatMoney(balances.get(userId) ?? 0n);
      return { posted: available, held: '0.00', available };
    };
    return {
      results: request.body.items.map(({ userId }) => ({
        userId,
        balances: byCurrency(WALLET_CURRENCIES, () => stateOf(userId)),
      })),
    };
  });
  app.get('/wallet/internal/operator-accounts', async (_request, reply) => {
    if (switches.walletUnavailable) return reply.code(503).send(away);
    const topUps = [...floats].map(([currency, amount]) => [currency, amount] as const);
    const paidOut = applied.flatMap((command) =>
      command.kind === 'capture' && command.destination.kind === 'payout' && !command.destination.isFromBank
        ? [command.target]
        : [],
    );
    const balanceOf = (currency: string, toppedUp: bigint) =>
      paidOut
        .filter((target) => target.currency === currency)
        .reduce((sum, target) => sum + parseMoney(target.amount), -toppedUp);
    return {
      accounts: topUps.map(([currency, toppedUp]) => ({
        account: 'payout-clearing',
        currency,
        balance: formatMoney(balanceOf(currency, toppedUp)),
      })),
    };
  });
  app.get('/wallet/internal/commands/possible', async (_request, reply) =>
    switches.walletUnavailable ? reply.code(503).send(away) : { ok: true },
  );
  app.post<{ Body: { items: { phone: string }[] } }>('/identity/internal/recipients-batch', async (request, reply) => {
    if (switches.identityUnavailable) return reply.code(503).send(away);
    return { results: request.body.items.map(({ phone }) => merchants.get(phone) ?? null) };
  });
  app.get<{ Params: { userId: string } }>('/identity/internal/accounts/:userId/state', async (request, reply) => {
    const { userId } = request.params;
    statesAsked.push(userId);
    if (switches.identityUnavailable || unanswered.has(userId)) return reply.code(503).send(away);
    if (unknown.has(userId)) return reply.code(404).send({ ...away, code: 'not_found' });
    return { isClosed: closed.has(userId), isBlocked: blocked.has(userId) };
  });
  app.get<{ Params: { userId: string } }>('/identity/internal/administrators/:userId/now', async (request, reply) => {
    if (switches.identityUnavailable) return reply.code(503).send(away);
    return { role: formerAdministrators.has(request.params.userId) ? null : 'owner' };
  });
  app.get('/rates/internal/pricing', async (_request, reply) => {
    if (switches.ratesUnavailable) return reply.code(503).send(away);
    if (!switches.noRate) return pricing;
    return reply
      .code(422)
      .send({ error: 'No exchange rate has been set yet.', code: 'rate_unavailable', requestId: 'x' });
  });
  app.get('/rates/internal/fees-in-force', async (_request, reply) =>
    switches.ratesUnavailable ? reply.code(503).send(away) : { fees: pricing.fees },
  );
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    address,
    balances,
    applied,
    merchants,
    floats,
    frozen,
    closed,
    blocked,
    unknown,
    unanswered,
    statesAsked,
    formerAdministrators,
    switches,
    /** The commands that arrived, repeats included, and those that had an effect. */
    askedFor: (transferId: string) => kindsFor(asked, transferId),
    appliedFor: (transferId: string) => kindsFor(applied, transferId),
    setFees(fees: Pricing['fees']) {
      pricing = { ...pricing, version: pricing.version + 1, fees };
    },
    setRate(buyRate: string, markup = '2') {
      pricing = pricingOf(pricing.version + 1, buyRate, markup);
    },
    stop: () => app.close(),
  };
}

const kindsFor = (commands: WalletCommand[], transferId: string) =>
  commands.filter((command) => command.transferId === transferId).map(({ kind }) => kind);

function pricingOf(version: number, buyRate: string, markup: string): Pricing {
  return {
    version,
    buyRate,
    markup,
    kesToTzs: sellRate(buyRate, markup),
    tzsToKes: inverseSellRate(buyRate, markup),
    updatedAt: '2026-01-15T09:00:00.000Z',
    fees: [],
  };
}
