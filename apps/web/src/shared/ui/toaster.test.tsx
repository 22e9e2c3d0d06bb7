import { act, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { showToast } from '#shared/toast-store.ts';
import { Toaster } from './toaster.tsx';

beforeEach(() => {
  vi.useFakeTimers();
  render(
    <MemoryRouter>
      <Toaster />
    </MemoryRouter>,
  );
  act(() => showToast({ title: 'Saved' }));
});
afterEach(() => void vi.useRealTimers());

const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms));
const card = () => screen.getByText('Saved').closest<HTMLElement>('.pointer-events-auto') as HTMLElement;

test('a toast disappears after 5000 ms', () => {
  wait(4_999);
  expect(screen.getByText('Saved')).toBeVisible();
  wait(1);
  expect(screen.queryByText('Saved')).toBeNull();
});

test('a toast stays while the reader is on it', () => {
  fireEvent.pointerEnter(card());
  wait(20_000);
  fireEvent.pointerLeave(card());
  wait(4_999);
  expect(screen.getByText('Saved')).toBeVisible();
  wait(1);
  expect(screen.queryByText('Saved')).toBeNull();
});

test('a swipe of more than 50 px dismisses a toast, a shorter one does not', () => {
  const swipe = (px: number) => {
    fireEvent.pointerDown(card(), { clientX: 0 });
    fireEvent.pointerMove(card(), { clientX: px });
    fireEvent.pointerUp(card(), { clientX: px });
  };
  swipe(50);
  expect(screen.getByText('Saved')).toBeVisible();
  swipe(51);
  expect(screen.queryByText('Saved')).toBeNull();
});

test('a toast is at most 420 px wide on medium screens and up', () => {
  expect(card().parentElement?.parentElement).toHaveClass('md:max-w-[420px]');
});
