import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // By default one processor of two would be idle.
    maxWorkers: '100%',
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
          include: ['packages/*/test/**/*.test.ts', 'services/*/test/**/*.test.ts'],
          globalSetup: ['packages/test-kit/src/global-setup.ts'],
          setupFiles: ['packages/test-kit/src/own-ports.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        // The whole product, its commands and its faults: each file has the machine to itself.
        test: {
          name: 'product',
          include: ['infra/*/test/**/*.test.ts'],
          globalSetup: ['packages/test-kit/src/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          fileParallelism: false,
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
