import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { finishBuild } from './build/finish-build.ts';

export default defineConfig({
  plugins: [react(), tailwindcss(), finishBuild()],
  build: {
    // What Tailwind 4 itself needs.
    target: ['chrome111', 'safari16.4', 'firefox128'],
    sourcemap: false,
    // Data URIs would need room in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Has Chromium compile these files while they arrive, off the main thread, and not function by function while
        // the page starts (V8's explicit compile hints; a comment to everybody else).
        postBanner: ({ name }) => (/^(vendor|shared|index)$/.test(name) ? '//# allFunctionsCalledOnLoad' : ''),
        // What every page needs goes out in few files: on a slow line each request costs more than its bytes. The
        // libraries change seldom, so they keep their own file over our releases.
        codeSplitting: {
          // Else a group takes along what its files import, and the first view loads what only some pages need.
          includeDependenciesRecursively: false,
          groups: [
            {
              name: 'vendor',
              test: /vite\/preload-helper|node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|@tanstack|nanostores|@nanostores|zod|cookie)\//,
              priority: 2,
            },
            {
              // Without what only withdrawals and receipts need, which no first view shows.
              name: 'shared',
              test: /apps\/web\/src\/shared\/(?!admin\/|address-filters|submission-key|i18n\/(account-sentences|transfer-notes)|ui\/(pin-cells|switch)|api\/(withdrawals|receipts)|format\/account)|src\/app\/(error-boundary|shell\/main)|src\/features\/auth\/(auth\.api|use-logout)|packages\/contracts\/(?!src\/http\/(administrators|api-keys|audit-trail|deposits|merchants|settings|integration-logs|overview|linked-accounts|withdrawals|fees|credits|proposals))|lucide-react\//,
              minShareCount: 2,
              priority: 1,
            },
            {
              // What several admin pages need, and nobody else.
              name: 'admin',
              test: /apps\/web\/src\/shared\/admin\/|packages\/contracts\/src\/http\/(administrators|api-keys|audit-trail|deposits|merchants|settings|proposals)/,
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
