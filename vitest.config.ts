import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  ssr: { resolve: { conditions: ['@parley/source', 'module', 'node', 'default'] } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    pool: 'forks',
    // Most tests wait for other processes, so even a small machine can run two files at once.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Generous, because machines are busy.
    expect: { poll: { timeout: 10_000 } },
    allowOnly: false,
    reporters: ['default', './scripts/plain-reporter.ts'],
  },
});
