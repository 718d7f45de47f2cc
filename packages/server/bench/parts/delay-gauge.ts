// Reads from outside for how long the event loop of a server was blocked.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface DelayGauge {
  /** Node flags for starting the process. */
  readonly flags: readonly string[];
  /** The longest time since the last call, in milliseconds. */
  read(pid: number): Promise<number>;
}

export function delayGauge(folder: string): DelayGauge {
  const hook = join(folder, 'delay-gauge.cjs');
  const reading = join(folder, 'delay-gauge.txt');
  writeFileSync(
    hook,
    `if (require('node:worker_threads').isMainThread) {
      const resolution = 1;
      const delay = require('node:perf_hooks').monitorEventLoopDelay({ resolution });
      delay.enable();
      process.on('SIGUSR2', () => {
        const longest = delay.max / 1e6 - resolution;
        delay.reset();
        require('node:fs').writeFileSync(${JSON.stringify(reading)}, longest + '\\n');
      });
    }`,
  );
  return {
    flags: [`--require=${hook}`],
    async read(pid) {
      rmSync(reading, { force: true });
      process.kill(pid, 'SIGUSR2');
      for (;;) {
        const text = contentOf(reading);
        if (text.endsWith('\n')) return Number(text);
        await new Promise((resolve) => setTimeout(resolve, 10));
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
