import '#shared/zod-config.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { reportUncaughtErrors } from '#app/global-errors.ts';
import { AppRouter } from '#app/router.tsx';
import { prefetchNeighbours, preloadPage } from '#app/routes.ts';
import { balancesQuery } from '#shared/api/balances.api.ts';
import { ratesQuery } from '#shared/api/rates.api.ts';
import { transactionsQuery } from '#shared/api/transactions.api.ts';
import { reloadWhenFilesAreGone } from '#shared/app-version.ts';
import { loadAbout, restoreAbout } from '#shared/house.ts';
import { startLanguage } from '#shared/i18n/i18n.ts';
import { keepData } from '#shared/kept-data.ts';
import { createQueryClient } from '#shared/query-client.ts';
import { signedInHint, userQuery } from '#shared/session.ts';
import { applyTheme, readTheme } from '#shared/theme.ts';

/** After what the first page needs, ms. */
const ABOUT_AFTER_MS = 500;

applyTheme(readTheme());
reportUncaughtErrors();
reloadWhenFilesAreGone();
preloadPage(window.location.pathname);

const queryClient = createQueryClient();
keepData(queryClient);
// The first requests leave before the first render; the money on screen need not wait for the name of its owner.
void queryClient.prefetchQuery(userQuery());
if (signedInHint.read() && ['/', '/send', '/dashboard'].includes(window.location.pathname)) {
  void queryClient.prefetchQuery(balancesQuery());
  void queryClient.prefetchQuery(ratesQuery());
  void queryClient.prefetchQuery(transactionsQuery('dashboard'));
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
restoreAbout();
prefetchNeighbours();
window.addEventListener('load', () => setTimeout(() => void loadAbout(), ABOUT_AFTER_MS), { once: true });
await startLanguage();
// The sign-in page may stand here already, as a picture that answers nothing; the first render takes its place.
root.inert = false;
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <AppRouter />
    </QueryClientProvider>
  </StrictMode>,
);
