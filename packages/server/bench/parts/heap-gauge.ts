// Reads the heap of a server from outside, after a garbage collection.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface HeapGauge {
  /** Node flags for starting the process. */
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
      // Gives the server time to release what has just ended.
      await pause(2_000);
      rmSync(reading, { force: true });
      process.kill(pid, 'SIGUSR2');
      for (;;) {
        const text = contentOf(reading);
        if (text.endsWith('\n')) return Number(text);
        await pause(20);
      }
    },
  };
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
