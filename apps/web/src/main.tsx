import '#shared/zod-config.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { reportUncaughtErrors } from '#app/global-errors.ts';
import { AppRouter } from '#app/router.tsx';
import { prefetchNeighbours, preloadPage } from '#app/routes.ts';
import { createQueryClient } from '#shared/query-client.ts';
import { userQuery } from '#shared/session.ts';
import { applyTheme, readTheme } from '#shared/theme.ts';

applyTheme(readTheme());
reportUncaughtErrors();
preloadPage(window.location.pathname);

const queryClient = createQueryClient();
// The first request leaves before the first render.
void queryClient.prefetchQuery(userQuery());

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <AppRouter />
    </QueryClientProvider>
  </StrictMode>,
);

prefetchNeighbours();
