import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { administrators } from '#test/administrator-fixtures.ts';
import { admin } from '#test/fixtures.ts';
import { errorAnswer } from '#test/handlers.ts';
import { ownProposal } from '#test/proposal-fixtures.ts';
import { renderApp } from '#test/render-app.tsx';
import { server } from '#test/setup.ts';

async function open(tab?: string) {
  const app = renderApp('/admin/settings', { user: admin });
  if (tab) await app.user.click(await screen.findByRole('tab', { name: tab }));
  else await screen.findByRole('tablist');
  return app;
}

type App = Awaited<ReturnType<typeof open>>;

async function changePin(app: App, [current, next, confirm]: readonly [string, string, string]): Promise<void> {
  await app.user.type(screen.getByLabelText('Current PIN'), current);
  await app.user.type(screen.getByLabelText('New PIN'), next);
  await app.user.type(screen.getByLabelText('Confirm new PIN'), confirm);
  await app.user.click(screen.getByRole('button', { name: 'Change PIN' }));
}

test('there are three tabs, Security first', async () => {
  await open();
  expect(screen.getAllByRole('tab').map((tab) => [tab.textContent, tab.getAttribute('aria-selected')])).toEqual([
    ['Security', 'true'],
    ['Notifications', 'false'],
    ['System', 'false'],
  ]);
});

test('a PIN is changed, and the fields are cleared', async () => {
  const app = await open();
  await changePin(app, ['1357', '2468', '2468']);
  expect(await screen.findByText('PIN Changed')).toBeVisible();
  expect(screen.getByLabelText('Current PIN')).toHaveValue('');
});

test('a change of the PIN whose answer was lost is repeated under the same key, another change has a new one', async () => {
  const app = await open();
  const keys: (string | null)[] = [];
  server.use(
    http.post('*/api/admin/change-pin', ({ request }) => {
      keys.push(request.headers.get('idempotency-key'));
      return keys.length === 1 ? errorAnswer('unavailable', 'Please try again.') : HttpResponse.json({ ok: true });
    }),
  );
  await changePin(app, ['1357', '2468', '2468']);
  expect(await screen.findByText('Failed to change PIN')).toBeVisible();
  expect(screen.getByLabelText('Current PIN')).toHaveValue('1357');
  await app.user.click(screen.getByRole('button', { name: 'Change PIN' }));
  await waitFor(() => expect(screen.getByLabelText('Current PIN')).toHaveValue(''));
  await changePin(app, ['1357', '2468', '2468']);
  await waitFor(() => expect(keys).toHaveLength(3));
  expect(keys[0]).toMatch(/^pin-/);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

test.each([
  [['1357', '2468', '2469'] as const, 'PINs do not match'],
  [['135', '2468', '2468'] as const, 'PIN must be 4 digits'],
  [['1357', '24', '24'] as const, 'PIN must be 4 digits'],
])('PINs %j are refused before they are sent: %s', async (pins, sentence) => {
  const app = await open();
  await changePin(app, pins);
  expect((await screen.findAllByText(sentence))[0]).toBeVisible();
  expect(screen.queryByText('PIN Changed')).toBeNull();
});

test('PIN fields accept only digits, at most four', async () => {
  const app = await open();
  await app.user.type(screen.getByLabelText('New PIN'), '1a2b3456');
  expect(screen.getByLabelText('New PIN')).toHaveValue('1234');
});

test('a wrong current PIN says so, is cleared alone, and keeps the session', async () => {
  const app = await open();
  await changePin(app, ['9753', '2468', '2468']);
  expect(await screen.findByText('Failed to change PIN')).toBeVisible();
  expect(screen.getByText('Invalid PIN')).toBeVisible();
  expect(screen.getByLabelText('Current PIN')).toHaveValue('');
  expect(screen.getByLabelText('New PIN')).toHaveValue('2468');
  expect(app.address()).toBe('/admin/settings');
});

test('the four switches are on at first, and are saved together', async () => {
  const app = await open('Notifications');
  const switches = await screen.findAllByRole('switch');
  expect(switches.map((one) => one.getAttribute('aria-label'))).toEqual([
    'Email notifications',
    'SMS notifications',
    'Login alerts',
    'Transaction alerts',
  ]);
  for (const one of switches) expect(one).toBeChecked();
  await app.user.click(screen.getByRole('switch', { name: 'SMS notifications' }));
  await app.user.click(screen.getByRole('button', { name: 'Save notification settings' }));
  expect(await screen.findByText('Settings Updated')).toBeVisible();
  expect(app.world.notificationSettings).toEqual({
    emailNotifications: true,
    smsNotifications: false,
    loginAlerts: true,
    transactionAlerts: true,
  });
  expect(screen.getByRole('switch', { name: 'SMS notifications' })).not.toBeChecked();
});

test('the system settings begin with their defaults and are saved as numbers', async () => {
  const app = await open('System');
  expect(await screen.findByLabelText('System name')).toHaveValue('Vuka');
  expect(screen.getByLabelText('Max PIN attempts')).toHaveValue(3);
  expect(screen.getByLabelText('Auto logout (minutes)')).toHaveValue(30);
  await app.user.clear(screen.getByLabelText('Max PIN attempts'));
  await app.user.type(screen.getByLabelText('Max PIN attempts'), '5');
  await app.user.clear(screen.getByLabelText('Withdrawals need approval above (KES)'));
  await app.user.type(screen.getByLabelText('Withdrawals need approval above (KES)'), '50000');
  expect(screen.getByText('50,000 KES')).toBeVisible();
  await app.user.clear(screen.getByLabelText('Credits in 24 hours need a second administrator above (TZS)'));
  await app.user.type(screen.getByLabelText('Credits in 24 hours need a second administrator above (TZS)'), '900000');
  await app.user.click(screen.getByRole('button', { name: 'Save system settings' }));
  expect(await screen.findByText('Settings Updated')).toBeVisible();
  expect(app.world.systemSettings).toEqual({
    systemName: 'Vuka',
    supportEmail: 'support@vuka.test',
    maxPinAttempts: 5,
    autoLogoutMinutes: 30,
    withdrawalApprovalLimit: { KES: '50000', TZS: '2000000' },
    creditApprovalLimit: { KES: '10000000', TZS: '900000', USD: '75000' },
  });
});

async function typeSetting(app: App, label: string, text: string) {
  await app.user.clear(await screen.findByLabelText(label));
  await app.user.type(screen.getByLabelText(label), text);
}

test('saving changes only what was typed, and keeps what another administrator has changed meanwhile', async () => {
  const app = await open('System');
  await typeSetting(app, 'Support email', 'help@vuka.test');
  app.world.systemSettings.maxPinAttempts = 7;
  await app.user.click(screen.getByRole('button', { name: 'Save system settings' }));
  expect(await screen.findByText('Settings Updated')).toBeVisible();
  expect(app.world.systemSettings).toMatchObject({ supportEmail: 'help@vuka.test', maxPinAttempts: 7 });
  expect(screen.getByLabelText('Max PIN attempts')).toHaveValue(7);
});

test('a setting that another administrator has changed meanwhile is not overwritten', async () => {
  const app = await open('System');
  await typeSetting(app, 'Max PIN attempts', '5');
  app.world.systemSettings.maxPinAttempts = 7;
  await app.user.click(screen.getByRole('button', { name: 'Save system settings' }));
  expect(await screen.findByText(/^Another administrator has changed the same setting/)).toBeVisible();
  expect(app.world.systemSettings.maxPinAttempts).toBe(7);
  await waitFor(() => expect(screen.getByLabelText('Max PIN attempts')).toHaveValue(7));
});

/** Another administrator saves settings between the reading and the saving, as while the PIN is asked for. */
function saveMeanwhile(app: App, changes: Partial<App['world']['systemSettings']>) {
  server.use(
    http.post(
      '*/api/admin/system-settings',
      () => {
        app.world.systemSettings = { ...app.world.systemSettings, ...changes };
        return errorAnswer('changed_meanwhile', 'The settings have changed');
      },
      { once: true },
    ),
  );
}

test('a setting is saved although another administrator saves another one while the PIN is asked for', async () => {
  const app = await open('System');
  await typeSetting(app, 'Support email', 'help@vuka.test');
  saveMeanwhile(app, { maxPinAttempts: 7 });
  await app.user.click(screen.getByRole('button', { name: 'Save system settings' }));
  expect(await screen.findByText('Settings Updated')).toBeVisible();
  expect(app.world.systemSettings).toMatchObject({ supportEmail: 'help@vuka.test', maxPinAttempts: 7 });
  expect(screen.getByLabelText('Max PIN attempts')).toHaveValue(7);
});

test('after a conflict about one setting, what was typed for the others is kept', async () => {
  const app = await open('System');
  await typeSetting(app, 'Support email', 'help@vuka.test');
  await typeSetting(app, 'Max PIN attempts', '5');
  saveMeanwhile(app, { maxPinAttempts: 7 });
  await app.user.click(screen.getByRole('button', { name: 'Save system settings' }));
  expect(await screen.findByText(/^Another administrator has changed the same setting/)).toBeVisible();
  await waitFor(() => expect(screen.getByLabelText('Max PIN attempts')).toHaveValue(7));
  expect(screen.getByLabelText('Support email')).toHaveValue('help@vuka.test');
  await app.user.click(screen.getByRole('button', { name: 'Save system settings' }));
  expect(await screen.findByText('Settings Updated')).toBeVisible();
  expect(app.world.systemSettings).toMatchObject({ supportEmail: 'help@vuka.test', maxPinAttempts: 7 });
});

test('the button that saved the system settings keeps the focus, and settings that others saved fill the form', async () => {
  const app = await open('System');
  await typeSetting(app, 'Max PIN attempts', '5');
  await app.user.click(screen.getByRole('button', { name: 'Save system settings' }));
  await screen.findByText('Settings Updated');
  expect(screen.getByRole('button', { name: 'Save system settings' })).toHaveFocus();
  expect(screen.getByLabelText('Max PIN attempts')).toHaveValue(5);
  app.world.systemSettings.maxPinAttempts = 7;
  await act(() => app.client.invalidateQueries({ queryKey: ['/api/admin/system-settings'] }));
  await waitFor(() => expect(screen.getByLabelText('Max PIN attempts')).toHaveValue(7));
  expect(screen.getByRole('button', { name: 'Save system settings' })).toHaveFocus();
});

test.each([
  ['System name', ' ', 'System name is required'],
  ['Support email', 'nobody', 'Invalid email address'],
  ['Max PIN attempts', '0', 'Max PIN attempts must be between 1 and 10'],
  ['Max PIN attempts', '11', 'Max PIN attempts must be between 1 and 10'],
  ['Auto logout (minutes)', '4', 'Auto logout must be between 5 and 120 minutes'],
  ['Credits in 24 hours need a second administrator above (KES)', '1.5', 'Approval limit must be a whole number'],
  ['Auto logout (minutes)', '121', 'Auto logout must be between 5 and 120 minutes'],
])('%s may not be "%s"', async (label, value, sentence) => {
  const app = await open('System');
  const field = await screen.findByLabelText(label);
  await app.user.clear(field);
  await app.user.type(field, value);
  await app.user.click(screen.getByRole('button', { name: 'Save system settings' }));
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(screen.queryByText('Settings Updated')).toBeNull();
});

test.each([
  ['Notifications', 'notification'],
  ['System', 'system'],
])('the %s settings report when they cannot be saved or loaded', async (tab, kind) => {
  const app = await open(tab);
  server.use(http.post(`*/api/admin/${kind}-settings`, () => errorAnswer('unavailable', 'Settings are unavailable')));
  await app.user.click(await screen.findByRole('button', { name: `Save ${kind} settings` }));
  expect(await screen.findByText('Failed to update settings')).toBeVisible();
  expect(screen.getByText('Settings are unavailable')).toBeVisible();
  app.unmount();
  server.use(http.get(`*/api/admin/${kind}-settings`, () => errorAnswer('unavailable', 'Settings are unavailable')));
  const again = renderApp('/admin/settings', { user: admin });
  server.use(http.get(`*/api/admin/${kind}-settings`, () => errorAnswer('unavailable', 'Settings are unavailable')));
  await again.user.click(await screen.findByRole('tab', { name: tab }));
  await waitFor(() => expect(screen.getByText('The settings could not be loaded')).toBeVisible());
});

test('the administrators are listed, with the ways to end a lock', async () => {
  const app = await open();
  const row = (name: string) => screen.getByText(name).closest('li') as HTMLElement;
  await screen.findByText('Neema Admin');
  expect(row('Zuri Admin')).toHaveTextContent(
    'Zuri Admin (You)ADM1 · admin@vuka.testNo second factor yet Add oneActive',
  );
  expect(row('Zuri Admin').querySelector('a')).toHaveAttribute('href', '/security');
  expect(row('Baraka Admin').querySelector('button, a')).toBeNull();
  expect(row('Juma Admin')).toHaveTextContent('Baraka Admin, ADM2, requested the unlock');

  await app.user.click(screen.getByRole('button', { name: 'Unlock Neema Admin' }));
  expect(await screen.findByText('Unlock requested')).toBeVisible();
  await waitFor(() => expect(row('Neema Admin')).toHaveTextContent('You requested the unlock.'));
  expect(screen.queryByRole('button', { name: 'Unlock Neema Admin' })).toBeNull();

  await app.user.click(screen.getByRole('button', { name: 'Unlock Juma Admin' }));
  expect(await screen.findByText('Juma Admin can try their PIN again now')).toBeVisible();
  await waitFor(() => expect(row('Juma Admin')).toHaveTextContent('Active'));
});

test('without two other administrators the page shows the command for the server; one’s own lock has no button', async () => {
  const [zuri, baraka] = administrators;
  if (!zuri || !baraka) throw new Error('two administrators are needed');
  const lockedUntil = '2026-01-12T12:15:00.000Z';
  renderApp('/admin/settings', {
    user: admin,
    administrators: [
      { ...zuri, lockedUntil, unlockStep: 'own' },
      { ...baraka, lockedUntil, unlockStep: 'on-server' },
    ],
  });
  expect(await screen.findByText('npm run admin:unlock -- --email baraka@vuka.test')).toBeVisible();
  expect(screen.getByText(/Two other administrators can unlock your account/)).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Unlock/ })).toBeNull();
});

test('the dialog about a proposed role names the person and both roles', async () => {
  const [zuri, baraka] = administrators;
  if (!zuri || !baraka) throw new Error('two administrators are needed');
  const app = renderApp('/admin/settings', {
    user: admin,
    administrators: [
      zuri,
      {
        ...baraka,
        role: 'support',
        roleProposal: { ...ownProposal(7601), from: 'support', to: 'finance', isOwn: false },
      },
    ],
  });
  await app.user.click(await screen.findByRole('button', { name: 'Approve' }));
  const dialog = screen.getByRole('dialog', { name: 'Approve this role?' });
  expect(dialog).toHaveTextContent('Role of Baraka AdminSupport: merchants → Finance: money and prices');
});
