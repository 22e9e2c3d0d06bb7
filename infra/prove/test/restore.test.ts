import { PIN, registerMerchant, signInAdmin } from '@vuka/local/testing/api-client';
import { until } from '@vuka/test-kit/until';
import { expect, test } from 'vitest';
import { checkBooks } from '#check-books.ts';
import { inject } from '#faults.ts';
import { withInstallation } from '#installation.ts';
import { readProviderRecord } from '#provider-record.ts';
import { readOrders, readUnknownPayments, settleLost } from '#settle-lost.ts';
import { keepOrdering, keyOf, type Sent, sendSteadily } from '#steady-orders.ts';

const SENDERS = 4;
/** Half of the orders between the copy and the restore are repeated, as if their clients never got an answer. */
const isRepeated = ({ number }: Sent) => number % 2 === 0;

test('books set back in the middle of a run pay nothing twice, and name each payment that they no longer know', {
  timeout: 600_000,
}, async () => {
  await withInstallation({ isEmbedded: false, replicas: 1, lengthMs: 0 }, async (installation) => {
    const { fleet, postgres, provider, transfersDatabaseUrl } = installation;
    const admin = await signInAdmin(fleet.address);
    const senders = [];
    while (senders.length < SENDERS) senders.push(await registerMerchant(fleet.address, admin, { KES: 100_000 }));
    const load = keepOrdering(senders.map(({ client }) => client));
    await load.untilMore(10);
    // In the copy some payouts are open although the provider has paid them.
    await inject(installation, { atMs: 0, lane: 0, kind: 'provider: timeout, paid', draw: 0.9 });
    await inject(installation, { atMs: 0, lane: 0, kind: 'provider: callback lost', draw: 0.9 });
    await load.untilMore(4);
    const at = new Date();
    const early = load.accepted();
    await postgres.keepCopy();
    await load.untilMore(20);
    await load.stop();
    await until(async () => (await readProviderRecord(provider.recordFile)).payments.length > early.length, {
      timeoutMs: 60_000,
      everyMs: 200,
    });
    const known = [...(await readOrders(transfersDatabaseUrl)).values()];
    await fleet.endAll();
    await postgres.goBack();
    expect(await settleLost(installation, at)).toContain('The books hold');
    const restored = await readOrders(transfersDatabaseUrl);
    const lost = load.accepted().filter((sent) => !restored.has(keyOf(sent)));
    expect(early.filter((sent) => !restored.has(keyOf(sent)))).toEqual([]);
    expect(lost.length).toBeGreaterThan(10);

    await fleet.startAll();
    for (const { client, user } of senders) await client.post('/api/login', { username: user.email, pin: PIN });
    await Promise.all(lost.filter(isRepeated).map(sendSteadily));
    const now = async () => [...(await readOrders(transfersDatabaseUrl)).values()];
    const isOver = async () => (await now()).every(({ status }) => status === 'SETTLED' || status === 'FAILED');
    await until(isOver, { timeoutMs: 120_000, everyMs: 200, what: 'every transfer to end' });

    const { payments } = await readProviderRecord(provider.recordFile);
    const paid = Map.groupBy(payments, ({ msisdn }) => `+${msisdn}`);
    const timesOf = (phone: string) => paid.get(phone)?.length ?? 0;
    const rows = await now();
    expect(rows.map(({ status }) => status)).toEqual(rows.map(() => 'SETTLED'));
    expect(rows.filter(({ recipient_phone: phone }) => timesOf(phone ?? '') !== 1)).toEqual([]);
    expect([...paid].filter(([, times]) => times.length > 1)).toEqual([]);
    const payoutsOf = (sent: Sent) => known.find((row) => row.client_transaction_id === keyOf(sent))?.payouts ?? [];
    const unknown = lost.filter((sent) => !isRepeated(sent) && timesOf(sent.phone) > 0).flatMap(payoutsOf);
    expect(unknown.length).toBeGreaterThan(0);
    expect(await readUnknownPayments(await signInAdmin(fleet.address))).toEqual(expect.arrayContaining(unknown));
    expect(await checkBooks(installation)).toEqual([]);
  });
});
