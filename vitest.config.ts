import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  ssr: { resolve: { conditions: ['@parley/source', 'module', 'node', 'default'] } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    pool: 'forks',
    // Tests often wait for timers and other processes, so a small machine can run more files at once than it has cores.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Generous, because machines are busy.
    expect: { poll: { timeout: 10_000 } },
    allowOnly: false,
    reporters: ['default', './scripts/plain-reporter.ts'],
  },
});
