import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { dismissToast } from '#shared/toast-store.ts';

/** The network of the page tests. A request that no handler knows fails its test. */
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

// A page is loaded when it is first opened, which takes its time on a busy machine.
configure({ asyncUtilTimeout: 5_000 });

// jsdom knows the dialog element, but not how to show it.
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
};
HTMLDialogElement.prototype.close = function close() {
  this.open = false;
};

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
