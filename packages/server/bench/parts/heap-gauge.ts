// Reads the heap of a server of the benchmark from outside, after a collection: what is garbage does not count.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface HeapGauge {
  /** For the start of the process. */
  readonly flags: readonly string[];
  /** Bytes in use, on the heap and in buffers. */
  read(pid: number): Promise<number>;
}

export function heapGauge(folder: string): HeapGauge {
  const hook = join(folder, 'heap-gauge.cjs');
  const reading = join(folder, 'heap-gauge.json');
  writeFileSync(
    hook,
    `process.on('SIGUSR2', () => {
      for (let round = 0; round < 3; round += 1) gc();
      const { heapUsed, external } = process.memoryUsage();
      require('node:fs').writeFileSync(${JSON.stringify(reading)}, String(heapUsed + external) + '\\n');
    });`,
  );
  return {
    flags: ['--expose-gc', `--require=${hook}`],
    async read(pid) {
      // What has just ended is let go of first.
      await pause(2_000);
      rmSync(reading, { force: true });
      process.kill(pid, 'SIGUSR2');
      for (;;) {
        const text = whatIsIn(reading);
        if (text.endsWith('\n')) return Number(text);
        await pause(20);
      }
    },
  };
}

function whatIsIn(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
