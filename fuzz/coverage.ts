// Reports whether new code ran, and how often the busiest piece of code ran, from V8's own coverage counters.
import { Session } from 'node:inspector';

export interface Coverage {
  /** What ran since the last call. */
  take(): Covered;
  close(): void;
}

export interface Covered {
  /** Whether something ran that is not remembered. */
  readonly isNew: boolean;
  remember(): void;
  /** How often the busiest piece of code ran. */
  readonly most: number;
}

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
}

interface Taken {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly (Range & { readonly count: number })[] }[];
  }[];
}

/** Covers everything but Node itself. */
export function startCoverage(): Coverage {
  const session = new Session();
  session.connect();
  const call = (method: string, options?: object): unknown => {
    let answer: unknown;
    // The answer comes before this returns, because the session is in this thread.
    session.post(method, options, (error, result) => {
      if (error) throw error;
      answer = result;
    });
    return answer;
  };
  call('Profiler.enable');
  call('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  /** The ranges that no remembered run has reached, by function. */
  const unreached = new Map<string, readonly Range[]>();
  return {
    take() {
      const left = new Map<string, readonly Range[]>();
      let isNew = false;
      let most = 0;
      const taken = call('Profiler.takePreciseCoverage') as Taken;
      for (const { url, functions } of taken.result) {
        if (url.startsWith('node:') || url === '') continue;
        for (const { ranges } of functions) {
          const [whole] = ranges;
          if (!whole || whole.count === 0) continue;
          for (const { count } of ranges) most = Math.max(most, count);
          const key = `${url}:${whole.startOffset}-${whole.endOffset}`;
          const before = unreached.get(key);
          const missed = ranges.filter(({ count }) => count === 0);
          const still = before ? overlaps(before, missed) : missed;
          isNew ||= !before || size(still) < size(before);
          left.set(key, still);
        }
      }
      return {
        isNew,
        most,
        remember() {
          for (const [key, ranges] of left) {
            const now = unreached.get(key);
            unreached.set(key, now ? overlaps(now, ranges) : ranges);
          }
        },
      };
    },
    close: () => session.disconnect(),
  };
}

/** The parts that are in both lists. Neither list overlaps itself. */
function overlaps(some: readonly Range[], others: readonly Range[]): readonly Range[] {
  return some.flatMap((one) =>
    others
      .map((other) => ({
        startOffset: Math.max(one.startOffset, other.startOffset),
        endOffset: Math.min(one.endOffset, other.endOffset),
      }))
      .filter(({ startOffset, endOffset }) => startOffset < endOffset),
  );
}

function size(ranges: readonly Range[]): number {
  return ranges.reduce((sum, { startOffset, endOffset }) => sum + endOffset - startOffset, 0);
}
