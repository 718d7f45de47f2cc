// Reads from outside for how long the event loop of a server was blocked: by its own work, not because other programs used
// the processor.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface DelayGauge {
  /** Node flags for starting the process. */
  readonly flags: readonly string[];
  /** The longest time since the last call, in milliseconds. */
  read(pid: number): Promise<number>;
}

/** One per server. */
export function delayGauge(folder: string): DelayGauge {
  const hook = join(folder, 'delay-gauge.cjs');
  const reading = join(folder, 'delay-gauge.txt');
  writeFileSync(
    hook,
    `if (require('node:worker_threads').isMainThread) {
      const fs = require('node:fs');
      const everyMs = 2;
      // The second number is how many nanoseconds the main thread waited for a processor that others used.
      const schedule = process.platform === 'linux' ? fs.openSync('/proc/self/schedstat') : undefined;
      const bytes = Buffer.alloc(80);
      const waitedMs = () =>
        schedule === undefined ? 0 : Number(bytes.latin1Slice(0, fs.readSync(schedule, bytes, 0, 80, 0)).split(' ')[1]) / 1e6;
      let longest = 0;
      let last = { at: performance.now(), waited: waitedMs() };
      setInterval(() => {
        const now = { at: performance.now(), waited: waitedMs() };
        longest = Math.max(longest, now.at - last.at - everyMs - (now.waited - last.waited));
        last = now;
      }, everyMs).unref();
      process.on('SIGUSR2', () => {
        fs.writeFileSync(${JSON.stringify(reading)}, longest + '\\n');
        longest = 0;
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
