import type { Caller } from '@vuka/access/caller';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { admin, createIdentity } from './harness.ts';

let identity: Awaited<ReturnType<typeof createIdentity>>;
beforeAll(async () => {
  identity = await createIdentity();
});
afterAll(() => identity.stop());

async function merchant() {
  const { user } = await identity.register();
  const caller: Caller = { ...admin, isAdmin: false, adminId: null, userId: user.id };
  return {
    userId: user.id,
    list: async () => (await identity.send('GET', '/internal/saved-recipients', undefined, caller)).body.recipients,
    save: (phone: string, label: string) =>
      identity.send('POST', '/internal/saved-recipients/save', { phone, label }, caller),
    forget: (phone: string) => identity.send('POST', '/internal/saved-recipients/forget', { phone }, caller),
  };
}

describe('saved recipients', () => {
  test('are listed by name, renamed by saving again, and deleted', async () => {
    const amina = await merchant();
    await amina.save('+255712345678', 'Juma');
    await amina.save('+254722000111', '  Baraka ');
    await amina.save('+255712345678', 'Asha');
    expect(await amina.list()).toEqual([
      { phone: '+255712345678', label: 'Asha' },
      { phone: '+254722000111', label: 'Baraka' },
    ]);
    expect((await amina.forget('+255712345678')).body).toEqual({ ok: true });
    expect((await amina.forget('+255712345678')).status).toBe(200);
    expect(await amina.list()).toEqual([{ phone: '+254722000111', label: 'Baraka' }]);
  });

  test('are not saved for an account that was closed meanwhile', async () => {
    const amina = await merchant();
    const closed = { closed_at: new Date(), is_active: false };
    await identity.db.updateTable('users').set(closed).where('id', '=', amina.userId).execute();
    expect((await amina.save('+255712345678', 'Asha')).body.code).toBe('unauthenticated');
    expect(await amina.list()).toEqual([]);
  });

  test('are private to a user: others neither see nor delete them', async () => {
    const [amina, juma] = [await merchant(), await merchant()];
    await amina.save('+255712345678', 'Asha');
    await juma.forget('+255712345678');
    expect(await juma.list()).toEqual([]);
    expect(await amina.list()).toHaveLength(1);
  });

  test.each([
    ['+255012345678', 'Asha', 'Please enter a valid 9-digit phone number without leading zero'],
    ['255712345678', 'Asha', 'Please enter a valid 9-digit phone number without leading zero'],
    ['+255712345678', '   ', 'Name is required'],
    ['+255712345678', 'x'.repeat(41), 'Name must not exceed 40 characters'],
  ])('refuses %s as %s', async (phone, label, words) => {
    expect(await (await merchant()).save(phone, label)).toMatchObject({ status: 400, body: { error: words } });
  });

  test('are at most 200, even when saved concurrently; renaming still works at the limit', async () => {
    const amina = await merchant();
    const phone = (number: number) => `+2557${String(number).padStart(8, '0')}`;
    for (let number = 0; number < 195; number++) await amina.save(phone(number), 'Asha');
    const last = await Promise.all(Array.from({ length: 20 }, (_, index) => amina.save(phone(300 + index), 'Asha')));
    expect(last.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(last.find(({ status }) => status !== 200)?.body).toMatchObject({
      code: 'validation_failed',
      error: 'You can save at most 200 recipients',
    });
    expect((await amina.save(phone(0), 'Baraka')).status).toBe(200);
    expect(await amina.list()).toHaveLength(200);
  });

  test('may be of any country that the table of corridors adds: the database checks only the form of a number', async () => {
    const amina = await merchant();
    await amina.save('+255712345678', 'Asha');
    const setPhone = (phone: string) =>
      identity.db
        .updateTable('saved_recipients')
        .set({ phone, label: phone })
        .where('user_id', '=', amina.userId)
        .execute();
    await setPhone('+256772123456');
    expect((await rowsOf(amina.userId))[0]?.phone).toBe('+256772123456');
    await expect(setPhone('0772123456')).rejects.toThrow('saved_recipients_phone_is_e164');
  });

  test('have names that are encrypted in the table', async () => {
    const amina = await merchant();
    await amina.save('+255712345678', 'Mama Asha');
    const [row] = await rowsOf(amina.userId);
    expect(row?.label).toBe('+255712345678');
    expect(row?.sealed?.toString('latin1')).not.toContain('Asha');
    expect(await amina.list()).toEqual([{ phone: '+255712345678', label: 'Mama Asha' }]);
  });

  test('keep the name that the previous release gives them, until it is encrypted too', async () => {
    const amina = await merchant();
    await amina.save('+255712345678', 'Asha');
    const { db, sealedLabels } = identity;
    await db.updateTable('saved_recipients').set({ label: 'Baraka' }).where('user_id', '=', amina.userId).execute();
    expect(await amina.list()).toEqual([{ phone: '+255712345678', label: 'Baraka' }]);
    expect(await sealedLabels.sealSome(db, 1_000)).toBe(1);
    expect((await rowsOf(amina.userId))[0]?.label).toBe('+255712345678');
    expect(await amina.list()).toEqual([{ phone: '+255712345678', label: 'Baraka' }]);
  });
});

const rowsOf = (userId: string) =>
  identity.db.selectFrom('saved_recipients').selectAll().where('user_id', '=', userId).execute();
