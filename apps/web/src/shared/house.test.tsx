import { act, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { systemSettings } from '#test/admin-fixtures.ts';
import { codeOf } from '#test/receipt-handlers.ts';
import { renderApp } from '#test/render-app.tsx';
import { loadAbout, restoreAbout, systemName } from './house.ts';

beforeEach(restoreAbout);

test('the system name set by administrators is in the header and the title, and is remembered', async () => {
  renderApp('/profile', {
    systemSettings: { ...systemSettings, systemName: 'Daraja', supportEmail: 'help@daraja.test' },
  });
  await screen.findByRole('heading', { name: 'Profile Settings' });
  expect(document.title).toBe('Profile Settings – Vuka');
  await act(loadAbout);
  expect(screen.getByText('Daraja')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Daraja, go to the dashboard' })).toBeVisible();
  expect(document.title).toBe('Profile Settings – Daraja');
  expect(screen.getByRole('link', { name: 'help@daraja.test' })).toHaveAttribute('href', 'mailto:help@daraja.test');
  restoreAbout();
  expect(systemName()).toBe('Daraja');
});

test.each([
  ['a receipt that is not genuine', `/verify/${codeOf('nobody')}`, /^Daraja did not issue this receipt/],
  ['a page that cannot be loaded', '/dashboard', 'We could not reach Daraja'],
])('%s names the system as its administrators do', async (_what, path, words) => {
  localStorage.setItem('vuka.about', JSON.stringify({ systemName: 'Daraja', supportEmail: '' }));
  restoreAbout();
  renderApp(path, { unavailable: ['/api/user'] });
  expect(await screen.findByText(words)).toBeVisible();
  localStorage.clear();
});

test('the current name stays if the server is unreachable', async () => {
  renderApp('/profile', { unavailable: ['/api/about'] });
  await loadAbout();
  expect(systemName()).toBe('Vuka');
});
