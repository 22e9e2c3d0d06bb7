import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { notifications } from '#test/admin-fixtures.ts';
import { admin } from '#test/fixtures.ts';
import { renderApp } from '#test/render-app.tsx';

test('an administrator reads the notifications, and why one was not delivered', async () => {
  const app = renderApp('/admin/notifications', { user: admin });
  await app.user.click(await screen.findByText('New sign-in to Vuka'));
  // The whole address, of which a narrow row shows the beginning.
  expect(screen.getByText('Email · juma@vuka.test')).toBeVisible();
  expect(screen.getByText('Attempts: 6 · Last attempt: 550 no such mailbox')).toBeVisible();
  expect(screen.getByText('There is no provider for this channel, so it was not sent.')).toBeInTheDocument();
});

test('the email and the SMS about one event are one row, each with its own outcome', async () => {
  renderApp('/admin/notifications', { user: admin });
  const row = (await screen.findByText('Your transfer of 25,000 KES arrived')).closest('li') as HTMLElement;
  expect(within(row).getByText('amina@vuka.test')).toBeVisible();
  expect(within(row).getByText('Sent')).toBeVisible();
  expect(within(row).getByText('+254 712 000 001')).toBeVisible();
  expect(within(row).getByText('Stored, not sent')).toBeVisible();
  expect(row.parentElement?.children).toHaveLength(2);
});

test('a message to an administrator says that its address and text are withheld from this role', async () => {
  const withheld = { isWithheld: true, recipient: '', subject: null, body: '', lastError: null };
  const toAdministrator = notifications.slice(0, 1).map((notification) => ({ ...notification, ...withheld }));
  const app = renderApp('/admin/notifications', { user: admin, notifications: toAdministrator });
  await app.user.click(await screen.findByText('Message to an administrator'));
  expect(screen.getByText('Only owners and auditors see the address and the text.')).toBeVisible();
  expect(
    within(screen.getByText('Message to an administrator').closest('li') as HTMLElement).getByText('Sent'),
  ).toBeVisible();
});

test('the filters are in the address and narrow the list', async () => {
  const app = renderApp('/admin/notifications?status=failed', { user: admin });
  expect(await screen.findByText('juma@vuka.test')).toBeVisible();
  expect(screen.queryByText('amina@vuka.test')).toBeNull();
  await app.user.selectOptions(screen.getByLabelText('Channel'), 'sms');
  expect(await screen.findByText('No notifications found')).toBeVisible();
  expect(screen.getByText('Change or remove a filter to see more.')).toBeVisible();
});

test('a list that cannot be loaded says so', async () => {
  renderApp('/admin/notifications', { user: admin, unavailable: ['/api/admin/notifications'] });
  expect(await screen.findByText('Error loading notifications')).toBeVisible();
});
