import { defineConfig } from 'vitest/config';

export default defineConfig({
  ssr: { resolve: { conditions: ['@parley/source', 'module', 'node', 'default'] } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Machines are busy: whoever waits for something waits long enough.
    expect: { poll: { timeout: 10_000 } },
    allowOnly: false,
    reporters: ['default', './scripts/plain-reporter.ts'],
  },
});
