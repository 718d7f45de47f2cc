import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  ssr: { resolve: { conditions: ['@parley/source', 'module', 'node', 'default'] } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    pool: 'forks',
    // Most tests wait for other processes: two files at once keep even a small machine busy.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Machines are busy: whoever waits for something waits long enough.
    expect: { poll: { timeout: 10_000 } },
    allowOnly: false,
    reporters: ['default', './scripts/plain-reporter.ts'],
  },
});
