import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { BROWSERS } from './build/browsers.ts';
import { finishBuild } from './build/finish-build.ts';
import { chunkByFirstView } from './build/first-view.ts';
import { productionRouter } from './build/production-router.ts';

export default defineConfig({
  plugins: [react(), tailwindcss(), productionRouter(), finishBuild()],
  build: {
    target: BROWSERS,
    sourcemap: false,
    // The content security policy does not allow data URIs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Tells Chromium to compile these files while they load, off the main thread, instead of function by function
        // during startup (V8's explicit compile hints; other browsers ignore the comment).
        postBanner: ({ name }) =>
          /^(vendor|shared|signed-in|index)$/.test(name) ? '//# allFunctionsCalledOnLoad' : '',
        // Code that every page needs is bundled into a few files: on a slow connection each request costs more than its
        // bytes. The libraries change rarely, so their file stays cached across releases.
        codeSplitting: {
          // Otherwise a group includes everything its files import, and the first view would load code of other pages.
          includeDependenciesRecursively: false,
          groups: [
            {
              name: 'vendor',
              test: /vite\/preload-helper|node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|@tanstack|nanostores|@nanostores|zod|cookie)\//,
              priority: 2,
            },
            {
              // Excludes code that only withdrawals and receipts need, which are never a first view, and tabs, which
              // the sign-in page needs and no page after it.
              name: chunkByFirstView,
              debugName: 'by-first-view',
              test: /apps\/web\/src\/shared\/(?!admin\/|limits\/|address-filters|submission-key|i18n\/(account-refusals|security-refusals|coded-text|transfer-notes)|ui\/(front-page|language-choice|pin-cells|qr-code|segmented-choice|switch|tabs)|api\/(withdrawals|receipts|limits)|format\/account)|packages\/money\/src\/(corridors|currencies|directions|phones)|src\/app\/(all-styles|error-boundary|page\.ts|shell\/main)|src\/pages\/not-found-page|src\/features\/auth\/(auth\.api|use-logout)|packages\/contracts\/(?!src\/http\/(admin-rights|admin-role|administrators|second-factors|api-keys|audit-trail|audit-actions|deposits|merchants|settings|integration-logs|recovery|overview|linked-accounts|decimal-input|orders|withdrawals|verification|contact-verification|sessions|fees|credits|proposals|decisions|limits|tiers|tier-limits|queues|reconciliation|adjustments|statements|rates)|src\/texts\/(?!field-rules|reason|text))|lucide-react\/(?!.*(key-round|smartphone|trending-up|sliders-horizontal))/,
              minShareCount: 2,
              priority: 1,
            },
            {
              // The send page and the step that it loads while the user types.
              name: 'transfers',
              test: /src\/features\/transfers\/(transfer-details|transfer-draft|quotes\.api|used-ids|price-lines|countdown)/,
              minShareCount: 2,
              priority: 1,
            },
            {
              // The sign-in page needs them, and after it only some pages.
              name: 'choices',
              test: /src\/shared\/ui\/(front-page|language-choice|segmented-choice|tabs)/,
              minShareCount: 2,
              priority: 1,
            },
            {
              // Shared by several admin pages, and by no others.
              name: 'admin',
              test: /apps\/web\/src\/shared\/admin\/|packages\/contracts\/src\/http\/(admin-rights|admin-role|administrators|second-factors|api-keys|audit-trail|audit-actions|deposits|merchants|settings|proposals|decisions|tiers|tier-limits)|packages\/contracts\/src\/texts\/admin-|lucide-react\/.*(key-round|smartphone)/,
              minShareCount: 2,
              priority: 0,
            },
          ],
        },
      },
    },
  },
  server: { port: 5173, proxy: { '/api': { target: 'http://127.0.0.1:3000', changeOrigin: true } } },
});
