import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { beforeAll, expect, test, vi } from 'vitest';
import { reloadWhenFilesAreGone } from '#shared/app-version.ts';
import { lazyAgain } from '#shared/lazy-again.ts';
import { Toaster } from '#shared/ui/toaster.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { reportUncaughtErrors } from './global-errors.ts';
import { page } from './page.ts';

beforeAll(() => {
  reportUncaughtErrors();
  reloadWhenFilesAreGone();
});

let thrown: unknown;

function Fragile() {
  if (thrown !== undefined) throw thrown;
  return <p>All is well</p>;
}

function renderToaster() {
  render(
    <MemoryRouter>
      <Toaster />
    </MemoryRouter>,
  );
}

test.each([
  [new Error('The page broke'), 'The page broke'],
  ['no error object', 'An unexpected error occurred'],
])('a render error shows its message and can be tried again', async (error, message) => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  thrown = error;
  render(
    <ErrorBoundary>
      <Fragile />
    </ErrorBoundary>,
  );
  expect(screen.getByText('Something went wrong')).toBeVisible();
  expect(screen.getByText(message)).toBeVisible();
  thrown = undefined;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(screen.getByText('All is well')).toBeVisible();
});

test('a page whose file failed to load is loaded again by Try again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const loadFile = vi.fn(() => Promise.resolve({ Fragile }));
  loadFile.mockRejectedValueOnce(new Error('Failed to fetch'));
  const { Component } = page(loadFile, 'Fragile');
  thrown = undefined;
  render(
    <ErrorBoundary>
      <Suspense>
        <Component />
      </Suspense>
    </ErrorBoundary>,
  );
  expect(await screen.findByText('Failed to fetch')).toBeVisible();
  expect(loadFile).toHaveBeenCalledTimes(1);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('All is well')).toBeVisible();
  expect(loadFile).toHaveBeenCalledTimes(2);
});

test('a part of a page whose file failed to load, such as the confirm step, is loaded again too', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const load = vi.fn(async () => ({ word }: { word: string }) => <p>{word}</p>);
  load.mockRejectedValueOnce(new Error('Failed to fetch'));
  const Part = lazyAgain(load);
  render(
    <ErrorBoundary>
      <Suspense>
        <Part word="Confirm" />
      </Suspense>
    </ErrorBoundary>,
  );
  expect(await screen.findByText('Failed to fetch')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Confirm')).toBeVisible();
});

test.each([
  [new Error('Loose wire'), 'Loose wire'],
  [undefined, 'Unknown error'],
  ['just words', 'just words'],
])('an uncaught error reads An error occurred', async (error, message) => {
  renderToaster();
  window.dispatchEvent(new ErrorEvent('error', { error }));
  expect(await screen.findByText('An error occurred')).toBeVisible();
  expect(screen.getByText(message)).toBeVisible();
});

test('an uncaught error of another site’s script shows the message that the browser gives', async () => {
  renderToaster();
  window.dispatchEvent(new ErrorEvent('error', { message: 'Script error.' }));
  expect(await screen.findByText('Script error.')).toBeVisible();
});

test.each([
  ['Broken promise', 'Broken promise'],
  [{ message: 'An object' }, 'An object'],
  [42, '42'],
  [{}, 'Unknown error in async operation'],
  [undefined, 'Unknown error in async operation'],
])('an unhandled rejection reads Promise rejection', async (reason, message) => {
  renderToaster();
  window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }));
  expect(await screen.findByText('Promise rejection')).toBeVisible();
  expect(screen.getByText(message)).toBeVisible();
});

test('offline, a file that fails to load does not trigger a reload', () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const event = new Event('vite:preloadError', { cancelable: true });
  window.dispatchEvent(event);
  expect(event.defaultPrevented).toBe(false);
  expect(sessionStorage).toHaveLength(0);
  vi.restoreAllMocks();
});
