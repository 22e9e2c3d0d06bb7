import { screen } from '@testing-library/react';
import type { renderApp } from './render-app.tsx';

type App = ReturnType<typeof renderApp>;

export const CREATE = '*/api/transactions/create';
export const PIN_LABEL = 'Enter your 4-digit PIN';

export async function fillDetails({ user }: App, amount = '25000', phone = '712345678') {
  await user.type(await screen.findByLabelText(/You send/), amount);
  await user.type(screen.getByLabelText('Recipient phone'), phone);
}

export async function openConfirm(app: App, phone?: string) {
  await fillDetails(app, '25000', phone);
  await screen.findByText(/Rate held for/);
  await app.user.click(screen.getByRole('button', { name: 'Review Transfer' }));
  await screen.findByRole('heading', { name: 'Confirm Transfer' });
}

export async function confirm(app: App, pin = '1357') {
  await app.user.type(screen.getByLabelText(PIN_LABEL), pin);
  await app.user.click(screen.getByRole('button', { name: 'Confirm Transfer' }));
}

/** The draft that the tab has stored. */
export const draftOf = (app: App) =>
  JSON.parse(sessionStorage.getItem(`vuka.transfer-draft.${app.world.user?.id}`) ?? '{}');
