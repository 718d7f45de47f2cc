import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import LongTestsFirst from './scripts/long-tests-first.ts';

export default defineConfig({
  ssr: { resolve: { conditions: ['@parley/source', 'module', 'node', 'default'] } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    pool: 'forks',
    // A worker loads the server once for all the files it runs, so a file must undo what it changes in its process.
    isolate: false,
    // Tests often wait for timers and other processes, so a small machine can run more files at once than it has cores.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    sequence: { sequencer: LongTestsFirst },
    // These limits only end tests that hang: machines are busy.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    allowOnly: false,
    // Compiles a file only if it has changed since any earlier run, also one with another version of Node.
    experimental: { fsModuleCache: true },
    reporters: ['default', './scripts/plain-reporter.ts'],
  },
});
