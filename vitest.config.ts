import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'services/*/src/**/*.test.ts', 'infra/*/src/**/*.test.ts'],
        },
      },
      {
        // The pages, over a mocked API, in a simulated browser.
        test: {
          name: 'web',
          include: ['apps/web/src/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          environmentOptions: { jsdom: { url: 'http://vuka.test/' } },
          setupFiles: ['apps/web/test/setup.ts'],
          env: { TZ: 'Africa/Nairobi' },
          testTimeout: 40_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['packages/*/test/**/*.test.ts', 'services/*/test/**/*.test.ts', 'infra/*/test/**/*.test.ts'],
          globalSetup: ['packages/test-kit/src/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Chromium against the whole running product, and the states of pages over a mocked API.
        test: {
          name: 'browser',
          include: ['infra/local/browser/**/*.test.ts'],
          globalSetup: ['packages/test-kit/src/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          maxConcurrency: 3,
        },
      },
      {
        // The compose file, run by a container engine.
        test: { name: 'compose', include: ['infra/local/compose/**/*.test.ts'], fileParallelism: false },
      },
    ],
  },
});
