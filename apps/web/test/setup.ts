import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { dismissToast } from '#shared/toast-store.ts';

/** The network of the page tests. A request without a handler fails its test. */
export const server = setupServer();

const unknownRequests: string[] = [];

beforeAll(() =>
  server.listen({
    onUnhandledFrame({ frame, defaults }) {
      unknownRequests.push(String((frame.data as { request?: Request }).request?.url));
      defaults.error();
    },
  }),
);
afterAll(() => server.close());

// jsdom has the element but cannot open it. This takes the focus, and restores it if the dialog closes in the page.
const focusedBefore = new WeakMap<HTMLDialogElement, Element | null>();
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
  focusedBefore.set(this, document.activeElement);
  this.querySelector<HTMLElement>('button, input')?.focus();
};
HTMLDialogElement.prototype.close = function close() {
  this.open = false;
  if (this.isConnected) (focusedBefore.get(this) as HTMLElement | null)?.focus();
};

// Pages load on demand, which takes a while on a busy machine.
configure({ asyncUtilTimeout: 10_000 });

beforeEach(() => {
  vi.stubGlobal('scrollTo', () => undefined);
  window.matchMedia = (query) =>
    ({
      ...new EventTarget(),
      media: query,
      matches: false,
      addEventListener() {},
      removeEventListener() {},
    }) as unknown as MediaQueryList;
});

afterEach(() => {
  cleanup();
  dismissToast();
  server.resetHandlers();
  localStorage.clear();
  sessionStorage.clear();
  vi.unstubAllGlobals();
  expect(unknownRequests.splice(0)).toEqual([]);
});
