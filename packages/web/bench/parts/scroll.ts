// Scrolls like a mouse wheel, and counts the frames that the page draws in the meantime.
import type { Page } from 'playwright-core';
import { percentile } from '../../../../bench/report.ts';

export interface Scrolled {
  /** The fewest frames in any second. */
  readonly slowestSecond: number;
  readonly pauses: string;
}

export async function scroll(
  page: Page,
  at: { readonly x: number; readonly y: number },
  { distance, pxPerSecond }: { readonly distance: number; readonly pxPerSecond: number },
): Promise<Scrolled> {
  const browser = await page.context().newCDPSession(page);
  await page.evaluate(watchFrames);
  await browser.send('Input.synthesizeScrollGesture', {
    ...at,
    yDistance: -distance,
    speed: pxPerSecond,
    gestureSourceType: 'mouse',
  });
  const frames = await page.evaluate(seenFrames);
  await browser.detach();
  const pauses = frames.slice(1).map((time, index) => time - (frames[index] ?? time));
  return {
    slowestSecond: slowestSecond(frames),
    pauses: `longest pause ${Math.round(Math.max(...pauses))} ms, p99 ${Math.round(percentile(pauses, 0.99))} ms`,
  };
}

function slowestSecond(frames: readonly number[]): number {
  const last = frames.at(-1) ?? 0;
  const counts = frames
    .filter((start) => start + 1_000 <= last)
    .map((start) => frames.filter((at) => at > start && at <= start + 1_000).length);
  return Math.min(...counts);
}

function watchFrames(): void {
  const watched = { frames: [] as number[], isOver: false };
  Object.assign(globalThis, { watched });
  const next = (at: number) => {
    watched.frames.push(at);
    if (!watched.isOver) requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}

function seenFrames(): number[] {
  const { watched } = globalThis as unknown as { watched: { frames: number[]; isOver: boolean } };
  watched.isOver = true;
  return watched.frames;
}
