import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { admin } from '#test/fixtures.ts';
import { renderApp } from '#test/render-app.tsx';
import { server } from '#test/setup.ts';

// Answers with the fields of the specification and no others, ids that are no UUIDs, and amounts with any decimals.

const TRANSACTION = {
  id: 'TX-1',
  createdAt: '2026-01-12T06:00:00.000Z',
  sourceAmount: '1000',
  sourceCurrency: 'KES',
  targetAmount: '23030.5',
  targetCurrency: 'TZS',
  direction: 'KES_TO_TZS',
  recipientPhone: '+255712345678',
  status: 'settled',
  metadata: { isAdminCredit: false, transactionType: 'DEBIT' },
};

test('balances and transactions are shown', async () => {
  renderApp('/dashboard');
  server.use(
    http.get('*/api/balances', () =>
      HttpResponse.json({ defaultCurrency: 'KES', balances: { KES: '1000', TZS: '0.5' } }),
    ),
    http.get('*/api/transactions', () => HttpResponse.json([TRANSACTION])),
  );
  expect(await screen.findByRole('link', { name: /712.345.678/ })).toHaveAttribute('href', '/transaction/TX-1');
  expect(screen.getByText(/23,031/)).toBeVisible();
  const wallets = screen.getByRole('region', { name: 'Balances' });
  await waitFor(() => expect(wallets).toHaveTextContent(/1,000 ?KES/));
});

test('a receipt is shown, with a date that cannot be read and metadata as text', async () => {
  renderApp('/transaction/TX-1');
  server.use(
    http.get('*/api/transactions/TX-1', () =>
      HttpResponse.json({
        transaction: {
          id: 'TX-1',
          created_at: 'bad',
          source_amount: '1000',
          source_currency: 'KES',
          target_amount: '23030',
          target_currency: 'TZS',
          status: 'completed',
          metadata: '{"recipientPhone":"+255712345678"}',
        },
      }),
    ),
  );
  expect(await screen.findByText('Date unavailable')).toBeVisible();
  expect(screen.getAllByText(/23,030 TZS/)[0]).toBeVisible();
  expect(screen.getAllByText(/712 345 678/)[0]).toBeVisible();
});

test('a merchant is shown and blocked, whatever the answer to the block', async () => {
  const app = renderApp('/admin/merchants', { user: admin });
  const merchant = {
    id: 'M-1',
    username: 'asha@example.com',
    fullName: 'Asha Said',
    email: 'asha@example.com',
    phone: '+255712345678',
    country: 'Tanzania',
    defaultCurrency: 'TZS',
    isBlocked: false,
    createdAt: '2026-01-12T06:00:00.000Z',
  };
  server.use(
    http.get('*/api/admin/merchants', () => HttpResponse.json([merchant])),
    http.post('*/api/admin/merchants/M-1/toggle-block', () => {
      merchant.isBlocked = true;
      return HttpResponse.json({});
    }),
  );
  await app.user.click(await screen.findByRole('button', { name: /^Block/ }));
  const dialog = screen.queryByRole('dialog');
  if (dialog) await app.user.click(within(dialog).getByRole('button', { name: /Block/ }));
  expect(await screen.findByText('Account status updated')).toBeVisible();
  expect(await screen.findByRole('button', { name: /^Unblock/ })).toBeVisible();
});

const { id, createdAt, sourceAmount, sourceCurrency, targetAmount, targetCurrency, recipientPhone } = TRANSACTION;
const STUCK = { id, createdAt, updatedAt: createdAt, sourceAmount, sourceCurrency, targetAmount, targetCurrency };
const DEPOSIT = { id: '7', created_at: createdAt, amount: '50', currency: 'KES', reason: 'Float', reference: 'DEP7' };
const LOG = {
  id: '9',
  transactionId: 'TX-1',
  provider: 'simulator',
  operation: 'status',
  url: 'https://provider.example/payouts',
  requestMethod: 'GET',
  requestBody: null,
  responseBody: null,
  responseStatus: 200,
  success: true,
  timestamp: createdAt,
};

test.each([
  [
    '/admin/transaction-recovery',
    '/api/admin/stuck-transactions',
    { stuckTransactions: [{ transaction: { ...STUCK, recipientPhone, status: 'processing' } }] },
    /TX-1/,
  ],
  ['/admin/deposits', '/api/admin/deposits', { deposits: [DEPOSIT] }, /DEP7/],
  ['/admin/integration-logs', '/api/integration-logs/recent', { logs: [LOG] }, /TX-1/],
])('%s lists what the answer has', async (page, path, answer, shown) => {
  renderApp(page, { user: admin });
  server.use(http.get(`*${path}`, () => HttpResponse.json(answer)));
  expect((await screen.findAllByText(shown))[0]).toBeVisible();
});
