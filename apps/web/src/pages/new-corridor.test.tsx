import { screen } from '@testing-library/react';
import { CreateTransfer } from '@vuka/contracts/http/orders';
import type { Quote } from '@vuka/contracts/http/quotes';
import type { Direction } from '@vuka/money/corridors';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { balances, fixedId } from '#test/fixtures.ts';
import { renderApp } from '#test/render-app.tsx';
import { CREATE, confirm, fillDetails } from '#test/send-flow.ts';
import { server } from '#test/setup.ts';

vi.mock('@vuka/money/corridors', async (original) => {
  const { withUganda } = await import('@vuka/money/testing/uganda');
  return withUganda(await original());
});
vi.mock('@vuka/money/mobile-networks', async (original) => {
  const { withUgandanNetworks } = await import('@vuka/money/testing/uganda');
  return withUgandanNetworks(await original());
});

const funded = { balances: { ...balances, balances: { ...balances.balances, UGX: '900000.00' } } };

function quoteInUganda(): Quote {
  return {
    quoteId: fixedId(77),
    direction: 'KES_TO_UGX' as Direction,
    rate: '28.5',
    sourceAmount: '1000.00',
    sourceCurrency: 'KES',
    targetAmount: '28500.00',
    targetCurrency: 'UGX' as Quote['targetCurrency'],
    fee: '0.00',
    expiresAt: new Date(Date.now() + 60_000).toISOString(),
  };
}

test('a country of the table can be sent to: chosen, priced, reviewed and confirmed', async () => {
  const sent: unknown[] = [];
  const app = renderApp('/', funded);
  server.use(
    http.post('*/api/quotes', () => HttpResponse.json(quoteInUganda(), { status: 201 })),
    http.post(CREATE, async ({ request }) => {
      sent.push(CreateTransfer.parse(await request.json()));
      return new HttpResponse(null, { status: 503 });
    }),
  );
  const direction = await screen.findByLabelText('Direction');
  expect(Array.from(direction.querySelectorAll('option'), ({ text }) => text)).toEqual([
    'KES to TZS',
    'TZS to KES',
    'KES to UGX',
    'UGX to KES',
  ]);
  await app.user.selectOptions(direction, 'KES to UGX');
  expect(screen.getByText('+256')).toBeVisible();
  expect(screen.getByText('Uganda')).toBeInTheDocument();
  expect(screen.getByPlaceholderText('772 345 678')).toBeVisible();
  await fillDetails(app, '1000', '772345678');
  expect(await screen.findByText('Usually on MTN MoMo')).toBeVisible();
  expect(await screen.findByText('28,500')).toBeVisible();
  expect(screen.getByText('1 KES = 28.500 UGX')).toBeVisible();
  await screen.findByText(/Rate held for/);
  await app.user.click(screen.getByRole('button', { name: 'Review Transfer' }));
  expect(await screen.findByText('+256 772 345 678')).toBeVisible();
  await confirm(app);
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({
    direction: 'KES_TO_UGX',
    sourceAmount: '1000',
    targetCurrency: 'UGX',
    recipientPhone: '+256772345678',
  });
});

test('without a quote, a corridor without an exchange rate shows no estimate', async () => {
  const app = renderApp('/', { ...funded, silent: ['/api/quotes'] });
  await app.user.selectOptions(await screen.findByLabelText('Direction'), 'UGX to KES');
  expect(await screen.findByText('900,000 UGX')).toBeVisible();
  await fillDetails(app, '1000', '712345678');
  expect(screen.getByText('+254')).toBeVisible();
  expect(screen.queryByText(/1 UGX =/)).toBeNull();
});

test('a number typed with its country code chooses the corridor from the same wallet', async () => {
  const app = renderApp('/', { ...funded, silent: ['/api/quotes'] });
  await fillDetails(app, '1000', '+256772345678');
  expect(screen.getByLabelText('Direction')).toHaveValue('KES_TO_UGX');
  await app.user.click(screen.getByRole('button', { name: 'Swap currencies' }));
  expect(screen.getByLabelText('Direction')).toHaveValue('UGX_TO_KES');
});

test('the dashboard has a wallet for each currency', async () => {
  renderApp('/dashboard', funded);
  expect(await screen.findByRole('heading', { name: 'Ugandan Shilling' })).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Tanzanian Shilling' })).toBeVisible();
});
