// Reads values that only a server's own process knows. A hook in the process writes them to a file on a signal, so a
// process can have only one gauge.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export interface Gauge {
  /** Node flags for starting the process. */
  readonly flags: readonly string[];
  read(pid: number): Promise<number>;
}

/** Bytes in use after a garbage collection, on the heap and in buffers. */
export function heapGauge(folder: string): Gauge {
  const gauge = createGauge(
    folder,
    (show) => `process.on('SIGUSR2', () => {
      for (let round = 0; round < 3; round += 1) gc();
      const { heapUsed, external } = process.memoryUsage();
      ${show('heapUsed + external')};
    });`,
  );
  return {
    flags: ['--expose-gc', ...gauge.flags],
    async read(pid) {
      // Gives the server time to release what has just ended.
      await pause(2_000);
      return gauge.read(pid);
    },
  };
}

/**
 * The longest time that the event loop was blocked since the last reading, in milliseconds. Only its own work counts,
 * not the time in which other programs used the processor.
 */
export function delayGauge(folder: string): Gauge {
  return createGauge(
    folder,
    (show) => `if (require('node:worker_threads').isMainThread) {
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
        if (!isAsked) return;
        isAsked = false;
        ${show('longest')};
        longest = 0;
      }, everyMs).unref();
      // A block that delayed the signal itself, such as the end of the start, counts for this reading, not the next.
      let isAsked = false;
      process.on('SIGUSR2', () => {
        isAsked = true;
      });
    }`,
  );
}

/** `hook` returns the script; `show` makes the statement in it that reports a value. */
function createGauge(folder: string, hook: (show: (value: string) => string) => string): Gauge {
  const script = join(folder, 'gauge.cjs');
  const reading = join(folder, 'gauge.txt');
  const show = (value: string) =>
    `require('node:fs').writeFileSync(${JSON.stringify(reading)}, (${value}) + '\\n')`;
  writeFileSync(script, hook(show));
  return {
    flags: [`--require=${script}`],
    async read(pid) {
      rmSync(reading, { force: true });
      process.kill(pid, 'SIGUSR2');
      for (;;) {
        const text = contentOf(reading);
        if (text.endsWith('\n')) return Number(text);
        await pause(10);
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
