// How long the tasks of a page take. The browser reports those over 50 ms of wall-clock time; a trace shows the CPU time
// of each, which is also correct on a busy machine.
import type { Browser, CDPSession, Page } from 'playwright-core';

export interface Tasks {
  /** Tasks over 50 ms, in wall-clock time. */
  readonly long: readonly number[];
  /** The longest, in CPU time. */
  readonly longestCpuMs: number;
}

/** Watches until the returned function is called. */
export async function watchTasks(browser: Browser, page: Page): Promise<() => Promise<Tasks>> {
  await page.evaluate(watchLongTasks);
  const session = await browser.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => void events.push(...(value as unknown as TraceEvent[])));
  const traceConfig = { includedCategories: ['toplevel'] };
  await session.send('Tracing.start', { traceConfig, transferMode: 'ReportEvents' });
  return async () => {
    await endTrace(session);
    return { long: await page.evaluate(seenLongTasks), longestCpuMs: longestOf(events) };
  };
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** CPU time in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

async function endTrace(session: CDPSession): Promise<void> {
  const ended = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await ended;
  await session.detach();
}

function longestOf(events: readonly TraceEvent[]): number {
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const main = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(threadOf),
  );
  const tasks = events.filter((event) => event.name.endsWith('RunTask') && main.has(threadOf(event)));
  return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1_000));
}

function watchLongTasks(): void {
  const seen: number[] = [];
  Object.assign(globalThis, { seenTasks: seen });
  new PerformanceObserver((list) => seen.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: 'longtask',
  });
}

function seenLongTasks(): number[] {
  return (globalThis as unknown as { seenTasks: number[] }).seenTasks;
}
