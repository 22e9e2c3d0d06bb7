import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { keepData } from '#shared/kept-data.ts';
import { logoutMark } from '#shared/session.ts';
import { amina, transaction } from '#test/fixtures.ts';
import { renderApp } from '#test/render-app.tsx';
import { fillDetails } from '#test/send-flow.ts';

const juma = {
  ...amina,
  id: '0190a5c0-0000-7000-8000-000000000077',
  username: 'juma@vuka.test',
  fullName: 'Juma Ally',
};

beforeEach(() => logoutMark.write(false));

test('data stored for one user is not restored for another user while the server is unreachable', async () => {
  const app = renderApp('/dashboard');
  keepData(app.client);
  await screen.findByText('125,400');
  await waitFor(() => expect(localStorage.getItem('vuka.kept')).toContain('amina@vuka.test'));
  app.unmount();
  const reopened = renderApp('/profile', { user: juma });
  keepData(reopened.client);
  await screen.findByText('Juma Ally');
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await act(() => reopened.client.refetchQueries({ queryKey: ['/api/user'] }));
  expect(reopened.client.getQueryData(['/api/transactions'])).toBeUndefined();
  vi.restoreAllMocks();
});

/** Another tab of this browser signs in. Tabs share the session cookie. */
async function signInElsewhere(app: ReturnType<typeof renderApp>, user: typeof amina | null) {
  app.world.user = user;
  app.world.recipients = [{ phone: '+255622333444', label: 'Neema Said' }];
  app.world.transactions = [transaction(1, { recipientPhone: '+255622333444' })];
  if (user) localStorage.setItem('vuka.signed-in', user.id);
  else localStorage.removeItem('vuka.signed-in');
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'vuka.signed-in' })));
}

test("a sign-in in another tab clears the previous user's data in this tab", async () => {
  const app = renderApp('/send', { transactions: [transaction(1, { recipientPhone: '+255754111222' })] });
  keepData(app.client);
  await fillDetails(app, '4321', '754111222');
  await screen.findByRole('button', { name: /^Baraka Mushi/ });
  await signInElsewhere(app, juma);
  expect(await screen.findByRole('button', { name: /^Neema Said/ })).toBeVisible();
  expect(screen.queryByText(/Baraka Mushi/)).toBeNull();
  expect(screen.getByLabelText(/You send/)).toHaveValue('');
  await waitFor(() => expect(localStorage.getItem('vuka.kept')).toContain('juma@vuka.test'));
  await waitFor(() => expect(localStorage.getItem('vuka.kept')).not.toContain('+255754111222'));
});

test('a sign-out in another tab leads to the sign-in page and leaves no data in this tab', async () => {
  // Left by a sign-out in this tab, before the sign-in in the other tab.
  logoutMark.write(true);
  const app = renderApp('/send');
  await screen.findByRole('button', { name: 'Saved recipients' });
  await signInElsewhere(app, null);
  await waitFor(() => expect(app.address()).toBe('/auth?next=%2Fsend'));
  expect(app.client.getQueryData(['/api/recipients'])).toBeUndefined();
});
