import type pg from 'pg';

/** A transfer or withdrawal in our books, amounts in minor units. */
export interface Booked {
  id: string;
  user_id: string;
  client_transaction_id: string;
  created_at: Date;
  status: string;
  /** Why it failed; null unless it did. */
  error_code: string | null;
  source_amount: string;
  fee: string;
  target_amount: string;
  target_currency: string;
  /** Null for a withdrawal to a bank. */
  recipient_phone: string | null;
  /** The payout ids that a provider got for it. */
  payouts: string[];
  /** How often it was paid to a Vuka merchant. */
  payments: number;
  /** How many times it settled or failed. */
  endings: number;
}

const BOOKED = `
  select t.id, t.user_id, t.client_transaction_id, t.created_at, t.status, t.error_code, t.source_amount::text,
    t.fee::text, t.target_amount::text,
    t.target_currency, t.recipient_phone,
    array(select p.id::text from money_transfers p where p.transaction_id = t.id) as payouts,
    (select count(*)::int from payments p where p.transaction_id = t.id) as payments,
    (select count(*)::int from transaction_lifecycle l where l.transaction_id = t.id
      and l.status in ('SETTLED', 'FAILED')) as endings
  from transactions t where t.transaction_type in ('transfer', 'withdrawal')`;

/** Every transfer and withdrawal in the transfers database. */
export async function readBooked(books: pg.Client): Promise<Booked[]> {
  const { rows } = await books.query<Booked>(BOOKED);
  return rows;
}

/** A payment of the network, in the provider's spelling. */
export interface Payment {
  /** The payout's id. */
  id: string;
  /** Digits, without the plus. */
  msisdn: string;
  /** A decimal number. */
  amount: string;
  currency: string;
  /** An ISO time. */
  paidAt: string;
}

/** Every payment of the network, by the simulator's own ledger. */
export async function readPayments(simulatorPort: number): Promise<Payment[]> {
  const payments: Payment[] = [];
  let cursor = '';
  do {
    const query = new URLSearchParams({ limit: '10000', ...(cursor ? { cursor } : {}) });
    const response = await fetch(`http://127.0.0.1:${simulatorPort}/sim/ledger?${query}`);
    const page = (await response.json()) as { entries: Payment[]; nextCursor: string | null };
    payments.push(...page.entries);
    cursor = page.nextCursor ?? '';
  } while (cursor);
  return payments;
}

/** How many times the network paid each payout. */
export async function readPaid(simulatorPort: number): Promise<Map<string, number>> {
  const paid = new Map<string, number>();
  for (const { id } of await readPayments(simulatorPort)) paid.set(id, (paid.get(id) ?? 0) + 1);
  return paid;
}
