import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { merchants as fixtures } from '#test/admin-fixtures.ts';
import { admin, fixedId } from '#test/fixtures.ts';
import { errorAnswer } from '#test/handlers.ts';
import { renderApp, widenScreen } from '#test/render-app.tsx';
import { server } from '#test/setup.ts';

function renderWide(path: string, world: Parameters<typeof renderApp>[1] = {}) {
  widenScreen();
  return renderApp(path, { user: admin, ...world });
}

const open = (world: Parameters<typeof renderApp>[1] = {}) => renderWide('/admin/merchants', world);

/** The files that the app saves from now on. */
function savedFiles(): Blob[] {
  const saved: Blob[] = [];
  Object.assign(URL, {
    createObjectURL: (blob: Blob) => saved.push(blob) && 'blob:x',
    revokeObjectURL: () => undefined,
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  return saved;
}

const rowOf = async (name: string): Promise<HTMLElement> =>
  (await screen.findByText(name)).closest('tr') as HTMLElement;
const namesShown = (): (string | null | undefined)[] =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.querySelectorAll('td')[1]?.textContent);

async function confirmBlock(app: ReturnType<typeof open>, name: string): Promise<void> {
  await app.user.click(await screen.findByRole('button', { name: `Block ${name}` }));
  const dialog = within(await screen.findByRole('dialog', { name: `Block ${name}?` }));
  await app.user.click(dialog.getByRole('button', { name: 'Block merchant' }));
}

test('on a tablet the table keeps every value: columns without room are shown below others', async () => {
  widenScreen(64);
  renderApp('/admin/merchants', { user: admin });
  const row = await rowOf('Juma Mwakyusa');
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Name',
    'Phone',
    'Status',
    'Registered',
    'Actions',
  ]);
  expect(row).toHaveTextContent(/^Juma Mwakyusajuma@vuka\.test\+255 754 000 000Tanzania · TZS/);
});

test('the table has its columns, and distinguishes active from blocked', async () => {
  open();
  expect(await rowOf('Juma Mwakyusa')).toHaveTextContent(
    'juma@vuka.testJuma MwakyusaSame+255 754 000 000TZTZSActiveJan 3, 2026Block',
  );
  expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
    'Username',
    'Name',
    'Email',
    'Phone',
    'Country',
    'Currency',
    'Status',
    'Registered',
    'Actions',
  ]);
  expect(screen.getAllByTitle('juma@vuka.test')).toHaveLength(2);
  expect(within(await rowOf('Juma Mwakyusa')).getByTitle('Tanzania')).toHaveTextContent('TZ');
  const neema = within(await rowOf('Neema Mushi'));
  expect(neema.getByText('Blocked')).toBeVisible();
  expect(neema.getByRole('button', { name: 'Unblock Neema Mushi' })).toBeVisible();
});

test('an email that differs from the username is shown, as is a country that has no code', async () => {
  const [first] = fixtures;
  if (!first) throw new Error('no merchant in the fixtures');
  open({
    merchants: [{ ...first, fullName: 'Amina', username: 'amina', email: 'amina@duka.test', country: 'Uganda' }],
  });
  expect(await rowOf('Amina')).toHaveTextContent(/^aminaAminaamina@duka\.test.*UgandaKES/);
});

test('a click anywhere in a row opens the merchant, except on its button', async () => {
  const app = open();
  await app.user.click(await screen.findByRole('button', { name: 'Block Juma Mwakyusa' }));
  await app.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }));
  expect(app.address()).toBe('/admin/merchants');
  await app.user.click(within(await rowOf('Juma Mwakyusa')).getByText('+255 754 000 000'));
  expect(app.address()).toBe(`/admin/merchants/${fixedId(10)}`);
});

test('a search narrows the table and shows a count; a search without matches says so', async () => {
  const app = open();
  const search = await screen.findByLabelText('Search merchants');
  expect(await screen.findByText('6 merchants')).toBeVisible();
  await app.user.type(search, 'kamau KENYA');
  expect(await screen.findByText('1 merchant')).toBeVisible();
  expect(namesShown()).toEqual(['Wanjiku Kamau']);
  await app.user.type(search, 'zzz');
  expect(await screen.findByText('No merchants found')).toBeVisible();
  expect(screen.getByText('Try another name, email, phone number or ID.')).toBeVisible();
  expect(app.address()).toBe('/admin/merchants?search=kamau+KENYAzzz');
});

test('a column header sorts, and reverses the order on a second click', async () => {
  const app = open();
  await rowOf('Juma Mwakyusa');
  const head = (): HTMLElement => screen.getByRole('columnheader', { name: 'Name' });
  await app.user.click(within(head()).getByRole('button'));
  expect(head()).toHaveAttribute('aria-sort', 'ascending');
  await waitFor(() => expect(namesShown().at(0)).toBe('Amina Wanjiru'));
  await app.user.click(within(head()).getByRole('button'));
  expect(head()).toHaveAttribute('aria-sort', 'descending');
  await waitFor(() => expect(namesShown().at(0)).toBe('Wanjiku Kamau'));
  expect(app.address()).toBe('/admin/merchants?sort=-fullName');
});

test('the search and order come from the address; an unknown order falls back to the default', async () => {
  const { unmount } = renderWide('/admin/merchants?search=tanzania&sort=fullName');
  expect(await screen.findByText('3 merchants')).toBeVisible();
  expect(screen.getByLabelText('Search merchants')).toHaveValue('tanzania');
  expect(namesShown()).toEqual(['Fatma Said', 'Juma Mwakyusa', 'Neema Mushi']);
  unmount();
  renderWide('/admin/merchants?sort=pin');
  expect(await screen.findByText('6 merchants')).toBeVisible();
  expect(screen.getByRole('columnheader', { name: 'Registered' })).toHaveAttribute('aria-sort', 'descending');
});

const many = Array.from({ length: 120 }, (_, index) => ({
  ...(fixtures[0] as (typeof fixtures)[number]),
  id: fixedId(9_000 + index),
  fullName: `Duka ${String(index).padStart(3, '0')}`,
}));

test('a long list comes page by page, and its export has everyone who matches', async () => {
  const saved = savedFiles();
  const app = open({ merchants: [...many, ...fixtures] });
  expect(await screen.findByText('126 merchants')).toBeVisible();
  expect(namesShown()).toHaveLength(50);
  await app.user.type(screen.getByLabelText('Search merchants'), 'duka');
  expect(await screen.findByText('120 merchants')).toBeVisible();
  await app.user.click(screen.getByRole('button', { name: 'Show more' }));
  await waitFor(() => expect(namesShown()).toHaveLength(100));
  await app.user.click(screen.getByRole('button', { name: 'Show more' }));
  await waitFor(() => expect(new Set(namesShown()).size).toBe(120));
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  await app.user.click(screen.getByRole('button', { name: 'Export' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  expect((await saved[0]?.text())?.trim().split('\r\n')).toHaveLength(121);
});

test('an export that fails says so, and saves nothing', async () => {
  const saved = savedFiles();
  const app = open();
  await rowOf('Juma Mwakyusa');
  server.use(http.get('*/api/admin/merchants', () => errorAnswer('unavailable', 'Identity is unavailable')));
  await app.user.click(screen.getByRole('button', { name: 'Export' }));
  expect(await screen.findByText('Failed to export the merchants')).toBeVisible();
  expect(saved).toHaveLength(0);
});

test('a block is shown at once, before the server has answered, and confirmed by the answer; the focus stays on its button', async () => {
  const app = open();
  const answered = Promise.withResolvers<void>();
  server.use(
    http.post('*/toggle-block', async () => {
      await answered.promise;
      // Returns nothing, so that the next handler answers.
    }),
  );
  await confirmBlock(app, 'Juma Mwakyusa');
  expect(await within(await rowOf('Juma Mwakyusa')).findByText('Blocked')).toBeVisible();
  const button = screen.getByRole('button', { name: 'Unblock Juma Mwakyusa' });
  expect(button).toHaveFocus();
  await app.user.click(button);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(app.world.merchants.find(({ fullName }) => fullName === 'Juma Mwakyusa')?.isBlocked).toBe(false);
  answered.resolve();
  expect(await screen.findByText('Account status updated')).toBeVisible();
  expect(screen.getByText('Juma Mwakyusa is blocked and signed out everywhere')).toBeVisible();
});

test.each([
  [() => errorAnswer('unavailable', 'Identity is unavailable'), 'Identity is unavailable'],
  [() => new HttpResponse('', { status: 500 }), 'An error occurred, please try again'],
])('a failed block is rolled back, and says so', async (answer, sentence) => {
  const app = open();
  await rowOf('Juma Mwakyusa');
  // The list never answers, so it cannot correct the status.
  const never = () => new Promise<never>(() => undefined);
  server.use(http.post('*/toggle-block', answer), http.get('*/api/admin/merchants', never));
  await confirmBlock(app, 'Juma Mwakyusa');
  expect(await screen.findByText('Failed to update account status')).toBeVisible();
  expect(screen.getByText(sentence)).toBeVisible();
  expect(within(await rowOf('Juma Mwakyusa')).getByText('Active')).toBeVisible();
});

test('a block asks for confirmation, naming the merchant, and can be cancelled', async () => {
  const app = open();
  await app.user.click(await screen.findByRole('button', { name: 'Block Juma Mwakyusa' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Block Juma Mwakyusa?' }));
  expect(dialog.getByText(/^juma@vuka.test will be signed out at once/)).toBeVisible();
  await app.user.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(app.world.merchants.filter(({ isBlocked }) => isBlocked)).toHaveLength(1);
});

test('the export holds the matches of the search', async () => {
  const app = open();
  await screen.findByText('6 merchants');
  const saved = savedFiles();
  await app.user.type(screen.getByLabelText('Search merchants'), 'neema');
  await app.user.click(screen.getByRole('button', { name: 'Export' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  const lines = (await saved[0]?.text())?.trim().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines?.[1]).toContain(
    "neema@vuka.test,Neema Mushi,NEEM5567DARS,neema@vuka.test,'+255754000002,Tanzania,TZS,Blocked",
  );
});

test('a date that cannot be read says so', async () => {
  const app = open();
  await rowOf('Juma Mwakyusa');
  app.world.merchants = app.world.merchants.map((merchant) => ({ ...merchant, createdAt: 'soon' }));
  await app.user.click(screen.getByRole('button', { name: 'Refresh' }));
  await waitFor(() => expect(screen.getAllByText('Invalid date')).toHaveLength(6));
});

test('an empty list says so; a list that cannot be loaded says why and can be retried', async () => {
  const { unmount } = open({ merchants: [] });
  expect(await screen.findByText('No merchants found')).toBeVisible();
  expect(screen.getByText('Everyone who registers appears here.')).toBeVisible();
  unmount();
  const app = open();
  server.use(
    http.get('*/api/admin/merchants', () => errorAnswer('unavailable', 'Identity is unavailable'), { once: true }),
  );
  expect(await screen.findByText('Error loading merchants: Identity is unavailable')).toBeVisible();
  await app.user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await rowOf('Juma Mwakyusa')).toBeVisible();
});

test('a refresh that fails keeps the list on screen and shows its age', async () => {
  const app = open();
  await rowOf('Juma Mwakyusa');
  server.use(http.get('*/api/admin/merchants', () => errorAnswer('unavailable', 'Identity is unavailable')));
  await app.user.click(screen.getByRole('button', { name: 'Refresh' }));
  expect(await screen.findByText(/^This could not be updated/)).toBeVisible();
  expect(await rowOf('Juma Mwakyusa')).toBeVisible();
});

test('the list is asked for again every 30 seconds, and when the window regains the focus after 10', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const app = open();
  await rowOf('Juma Mwakyusa');
  let asked = 0;
  server.use(
    http.get('*/api/admin/merchants', () => {
      asked += 1;
    }),
  );
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  await waitFor(() => expect(asked).toBe(1));
  const focus = () => act(async () => void window.dispatchEvent(new Event('visibilitychange')));
  await focus();
  expect(asked).toBe(1);
  await act(() => vi.advanceTimersByTimeAsync(11_000));
  await focus();
  await waitFor(() => expect(asked).toBe(2));
  app.unmount();
  vi.useRealTimers();
});

test('a table that is scrolled marks the sides at which columns are hidden', async () => {
  open();
  await rowOf('Juma Mwakyusa');
  const table = screen.getByRole('region', { name: 'Merchants' });
  const scrollTo = (scrollLeft: number): void => {
    Object.defineProperties(table, {
      scrollWidth: { configurable: true, value: 900 },
      clientWidth: { configurable: true, value: 700 },
    });
    table.scrollLeft = scrollLeft;
    fireEvent.scroll(table);
  };
  expect(table.dataset).toMatchObject({ left: 'shown', right: 'shown' });
  scrollTo(0);
  expect(table.dataset).toMatchObject({ left: 'shown', right: 'hidden' });
  scrollTo(90);
  expect(table.dataset).toMatchObject({ left: 'hidden', right: 'hidden' });
  scrollTo(200);
  expect(table.dataset).toMatchObject({ left: 'hidden', right: 'shown' });
});

test.each([
  ['with the page where it fits', 80, 980, false],
  ['in its own region where the screen has no room for every column', 64, 980, true],
  ['in its own region where long values make it wider than its card', 80, 990, true],
])('a table scrolls %s', async (_, screenWidth, tableWidth, isRegion) => {
  const widths = { TABLE: tableWidth, SECTION: 980 };
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockImplementation(function width(this: HTMLElement) {
    return widths[this.tagName as keyof typeof widths] ?? 0;
  });
  widenScreen(screenWidth);
  renderApp('/admin/merchants', { user: admin });
  await rowOf('Juma Mwakyusa');
  const table = screen.getByRole('region', { name: 'Merchants' });
  expect(table.classList.contains('overflow-auto')).toBe(isRegion);
  // What does not scroll is no stop of the Tab key.
  expect(table.hasAttribute('tabindex')).toBe(isRegion);
  vi.restoreAllMocks();
});
