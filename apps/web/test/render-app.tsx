import { QueryClientProvider } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type InitialEntry, MemoryRouter, useLocation, useNavigate } from 'react-router-dom';
import { AppRoutes } from '#app/router.tsx';
import { createQueryClient } from '#shared/query-client.ts';
import { createHandlers } from './handlers.ts';
import { server } from './setup.ts';
import { createWorld, type World } from './world.ts';

let address = '';
let go: (delta: number) => void;

function AddressBar() {
  const { pathname, search } = useLocation();
  address = pathname + search;
  const navigate = useNavigate();
  go = (delta) => void navigate(delta);
  return null;
}

/** Opens the whole app at `path`, or at the last entry of a history, over a mock server whose world has `overrides`. */
export function renderApp(path: string | InitialEntry[], overrides: Partial<World> = {}) {
  const world = createWorld(overrides);
  server.use(...createHandlers(world));
  const client = createQueryClient();
  const view = render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={typeof path === 'string' ? [path] : path}>
        <AppRoutes />
        <AddressBar />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return {
    ...view,
    world,
    client,
    user: userEvent.setup(),
    address: () => address,
    goBack: () => act(() => go(-1)),
    goForward: () => act(() => go(1)),
  };
}

/** Gives the app the width of a screen, in rem: of a laptop, unless another is given. Call before rendering. */
export function widenScreen(width = 80): void {
  const narrow = window.matchMedia;
  const least = (query: string) => Number(/min-width: ([\d.]+)rem/.exec(query)?.[1] ?? 0);
  window.matchMedia = (query) => ({ ...narrow(query), matches: least(query) <= width });
}
