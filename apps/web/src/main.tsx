import '#shared/zod-config.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode, startTransition, useLayoutEffect } from 'react';
import { reportUncaughtErrors } from '#app/global-errors.ts';
import { AppRouter } from '#app/router.tsx';
import { prefetchNeighbours, preloadPage } from '#app/routes.ts';
import { afterLoad } from '#shared/after-load.ts';
import { reloadWhenFilesAreGone } from '#shared/app-version.ts';
import { loadAbout, restoreAbout } from '#shared/house.ts';
import { startLanguage } from '#shared/i18n/i18n.ts';
import { keepData } from '#shared/kept-data.ts';
import { createQueryClient } from '#shared/query-client.ts';
import { signedInHint, userQuery } from '#shared/session.ts';
import { applyTheme, readTheme } from '#shared/theme.ts';

/** Delay after the first page's own requests, ms. */
const ABOUT_AFTER_MS = 500;

/** Lets the browser paint and respond to touch before the next step: one long task would freeze a cheap phone. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Makes the page interactive. Until now the sign-in page may have been static markup without handlers. */
function Live({ root, children }: { root: HTMLElement; children: ReactNode }) {
  useLayoutEffect(() => {
    root.inert = false;
  }, [root]);
  return children;
}

applyTheme(readTheme());
reportUncaughtErrors();
reloadWhenFilesAreGone();
const firstPage = preloadPage(window.location.pathname);

await nextTask();
const queryClient = createQueryClient();
keepData(queryClient);
// Before the first requests, so that their errors are shown in this language.
const language = startLanguage();
// Requests start before the first render.
void queryClient.prefetchQuery(userQuery());
if (signedInHint.read() && ['/', '/send', '/dashboard'].includes(window.location.pathname)) {
  // If this fails to load, the pages request their data themselves.
  void import('#app/first-data.ts')
    .then(({ prefetchFirstData }) => prefetchFirstData(queryClient))
    .catch(() => undefined);
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
restoreAbout();
prefetchNeighbours();
afterLoad(ABOUT_AFTER_MS, () => void loadAbout());
await nextTask();
const [{ createRoot }] = await Promise.all([import('react-dom/client'), language, firstPage]);
await nextTask();
// A transition renders in slices, between which a cheap phone responds to touch.
startTransition(() => {
  createRoot(root).render(
    <StrictMode>
      <Live root={root}>
        <QueryClientProvider client={queryClient}>
          <AppRouter />
        </QueryClientProvider>
      </Live>
    </StrictMode>,
  );
});
