import type { Statement, StatementMovement, StatementQuery } from '@vuka/contracts/http/statements';
import type { TransactionListItem } from '@vuka/contracts/http/transfers';

const OPENING = 100_000;

/** A statement of the settled transactions, for wallets that started the period with 100,000 in each currency. */
export function statementOf(transactions: readonly TransactionListItem[], period: StatementQuery): Statement {
  const balances = { KES: OPENING, TZS: OPENING * 10, USD: 0 };
  const movements = transactions
    .filter(({ status }) => status === 'SETTLED')
    .toReversed()
    .map((item): StatementMovement => {
      const isIn = item.metadata.transactionType === 'CREDIT';
      const [amount, currency] = isIn
        ? [item.targetAmount, item.targetCurrency]
        : [item.sourceAmount, item.sourceCurrency];
      balances[currency] += isIn ? Number(amount) : -Number(amount);
      return {
        transactionId: item.id,
        at: item.updatedAt,
        kind: item.metadata.isAdminCredit ? 'deposit' : isIn ? 'received' : 'sent',
        recipientPhone: isIn ? null : item.recipientPhone,
        currency,
        moneyIn: isIn ? amount : '0.00',
        moneyOut: isIn ? '0.00' : amount,
        fee: '0.00',
        balance: balances[currency].toFixed(2),
      };
    });
  const wallet = (currency: 'KES' | 'TZS') => {
    const own = movements.filter((movement) => movement.currency === currency);
    const sum = (name: 'moneyIn' | 'moneyOut') => own.reduce((total, each) => total + Number(each[name]), 0).toFixed(2);
    return {
      currency,
      opening: (currency === 'KES' ? OPENING : OPENING * 10).toFixed(2),
      moneyIn: sum('moneyIn'),
      moneyOut: sum('moneyOut'),
      fees: '0.00',
      closing: balances[currency].toFixed(2),
      reserved: currency === 'KES' ? '4200.00' : '0.00',
    };
  };
  return {
    ...period,
    madeAt: '2026-01-12T06:31:00.000Z',
    wallets: [wallet('KES'), wallet('TZS')],
    movements,
    hasMore: false,
  };
}
