import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useLiveUpdates } from './live-updates.ts';

class Stream extends EventTarget {
  static readonly CLOSED = 2;
  static all: Stream[] = [];
  readyState = 1;
  onopen?: () => void;
  constructor() {
    super();
    Stream.all.push(this);
  }
  close() {
    this.readyState = Stream.CLOSED;
  }
}

const openStreams = () => Stream.all.filter(({ readyState }) => readyState !== Stream.CLOSED).length;

function show(isShown: boolean) {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(!isShown);
  document.dispatchEvent(new Event('visibilitychange'));
}

function follow() {
  const client = new QueryClient();
  const refresh = vi.spyOn(client, 'invalidateQueries').mockResolvedValue();
  const view = renderHook(() => useLiveUpdates('amina'), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  return { ...view, refresh };
}

beforeEach(() => {
  vi.useFakeTimers();
  Stream.all = [];
  vi.stubGlobal('EventSource', Stream);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a hidden tab closes its stream, and when shown again opens one and catches up', () => {
  const { refresh } = follow();
  show(false);
  vi.advanceTimersByTime(29_000);
  expect(openStreams()).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect(openStreams()).toBe(0);
  show(true);
  expect(openStreams()).toBe(1);
  expect(refresh).not.toHaveBeenCalled();
  Stream.all.at(-1)?.onopen?.();
  expect(refresh).toHaveBeenCalledWith(expect.objectContaining({ queryKey: ['/api/balances'] }));
});

test('a brief switch to another tab keeps the stream open', () => {
  follow();
  show(false);
  vi.advanceTimersByTime(20_000);
  show(true);
  vi.advanceTimersByTime(60_000);
  expect(Stream.all).toHaveLength(1);
  expect(openStreams()).toBe(1);
});

test('a tab opened in the background has no stream, and leaving the page closes its stream', () => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  const { unmount } = follow();
  vi.advanceTimersByTime(30_000);
  expect(openStreams()).toBe(0);
  unmount();
  show(true);
  expect(openStreams()).toBe(0);
});
