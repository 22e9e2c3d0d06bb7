import type { WalletCommand } from '@vuka/contracts/internal/wallet';
import { formatMoney } from '@vuka/money';
import fc from 'fast-check';

const users = [1, 2, 3].map((n) => `018f0000-0000-7000-8000-00000000000${n}`);
const transfers = [1, 2, 3, 4].map((n) => `018f0000-0000-7000-8000-00000000010${n}`);
const user = fc.constantFrom(...users);
const transferId = fc.constantFrom(...transfers);
const currency = fc.constantFrom('KES' as const, 'TZS' as const);
const amount = fc.integer({ min: 1, max: 300 }).map((minor) => formatMoney(BigInt(minor)));
const suffix = fc.constantFrom('', '', '-b');
const base = { transferId, userId: user, currency, amount, suffix };

/** Commands over few users and transfers, so that they interact. */
export const command: fc.Arbitrary<WalletCommand> = fc.oneof(
  fc.record(base).map(
    ({ suffix: s, ...rest }): WalletCommand => ({
      ...rest,
      kind: 'deposit',
      key: `${rest.transferId}:deposit${s}`,
      adminId: '018f0000-0000-7000-8000-0000000000aa',
      description: '',
    }),
  ),
  fc
    .record(base)
    .map(({ suffix: s, ...rest }): WalletCommand => ({ ...rest, kind: 'hold', key: `${rest.transferId}:hold${s}` })),
  fc.record(base).map(
    ({ suffix: s, amount: _amount, ...rest }): WalletCommand => ({
      ...rest,
      kind: 'release',
      key: `${rest.transferId}:release${s}`,
      holdKey: `${rest.transferId}:hold${s}`,
      reason: '',
    }),
  ),
  fc
    .record({
      ...base,
      fee: fc.constantFrom('0.00', '0.01'),
      target: currency,
      paid: amount,
      mid: amount,
      to: fc.option(user),
    })
    .map(
      ({ suffix: s, target, paid, mid, to, ...rest }): WalletCommand => ({
        ...rest,
        kind: 'capture',
        key: `${rest.transferId}:capture${s}`,
        holdKey: `${rest.transferId}:hold${s}`,
        target: { currency: target, amount: paid, midAmount: mid },
        destination: to === null ? { kind: 'payout' } : { kind: 'wallet', userId: to },
      }),
    ),
);

/** Makes captures and releases match a placed hold, so that sequences do more than get refused. */
export function fitting(commands: WalletCommand[]): WalletCommand[] {
  const holds = new Map(commands.flatMap((each) => (each.kind === 'hold' ? [[each.key, each] as const] : [])));
  return commands.map((each): WalletCommand => {
    if (each.kind !== 'capture' && each.kind !== 'release') return each;
    const hold = holds.get(each.holdKey);
    if (!hold) return each;
    const { userId, currency: held, amount: heldAmount } = hold;
    if (each.kind === 'release') return { ...each, userId, currency: held };
    return { ...each, userId, currency: held, amount: heldAmount };
  });
}
