// Long sessions of Claude Code in a real browser: how soon the newest messages appear, and how smoothly they scroll.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { type Figure, percentile, report } from '../../../bench/report.ts';
import { openBrowser, type Parley, startParley, visit } from '../test/e2e/harness.ts';
import { writeTranscript } from '../test/e2e/long-transcript.ts';
import { scroll } from './parts/scroll.ts';

const full = process.argv.includes('--full');
const longWait = { timeout: 300_000 };
/** Slow enough to read headings, and as fast as when looking for something. */
const speeds = [
  { how: 'slowly', pxPerSecond: 2_000 },
  { how: 'fast', pxPerSecond: 8_000 },
] as const;
await measure();

async function measure(): Promise<void> {
  const parley = await startParley();
  const browser = await openBrowser();
  try {
    const many = { messages: 10_000, isRich: true };
    const large = { messages: 20_000, isRich: true, lettersPerResult: 40_000 };
    report('long-session', [
      ...(await figuresOf(browser, parley, '10,000 messages', many)),
      ...(await figuresOf(browser, parley, '200 MB', large)),
    ]);
  } finally {
    await browser.close();
    await parley.stop();
  }
}

async function figuresOf(
  browser: Browser,
  parley: Parley,
  name: string,
  transcript: Parameters<typeof writeTranscript>[1],
): Promise<Figure[]> {
  const id = writeTranscript(parley, transcript);
  const last = `Prompt number ${transcript.messages / 4 - 1}`;
  const { page, opened } = await open(browser, parley, id, last);
  const figures: Figure[] = [
    {
      what: `${name}: from opening it to its last messages, p50`,
      value: percentile(opened, 0.5),
      unit: 'ms',
      goal: { atMost: 1_000 },
      comparison: `first time: ${Math.round(opened[0] ?? 0)} ms`,
    },
  ];
  for (const speed of speeds) figures.push(await scrollFigure(page, `${name}: scrolling up`, speed, -1));
  if (transcript.messages <= 10_000) {
    await readToTheStart(page);
    for (const speed of speeds)
      figures.push(await scrollFigure(page, `${name}: all loaded, scrolling down`, speed, 1));
  }
  await page.context().close();
  return figures;
}

async function open(browser: Browser, parley: Parley, id: string, last: string) {
  const page = await visit(browser, parley, { path: '/overview' });
  const opened: number[] = [];
  for (let round = 0; round < (full ? 20 : 5); round += 1) {
    await page.goto('about:blank');
    const start = performance.now();
    await page.goto(`${parley.url}/code/${id}`, { waitUntil: 'commit' });
    await page.getByText(last, { exact: true }).waitFor(longWait);
    opened.push(performance.now() - start);
  }
  return { page, opened };
}

/** Loads older messages until there are no more. */
async function readToTheStart(page: Page): Promise<void> {
  const log = page.getByRole('log', { name: 'Conversation' });
  const first = log.getByText('Prompt number 0', { exact: true });
  const until = performance.now() + longWait.timeout;
  while ((await first.count()) === 0) {
    if (performance.now() > until) throw new Error('the first message did not appear');
    await log.press('Home');
    await sleep(50);
  }
}

async function scrollFigure(
  page: Page,
  what: string,
  { how, pxPerSecond }: (typeof speeds)[number],
  direction: 1 | -1,
): Promise<Figure> {
  const seconds = full ? 20 : 6;
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const from = await turnInView(page);
  const distance = direction * pxPerSecond * seconds;
  const { slowestSecond, pauses } = await scroll(
    page,
    { x: width / 2, y: height / 2 },
    { distance, pxPerSecond },
  );
  const to = await turnInView(page);
  return {
    what: `${what} ${how}, frames in the slowest second`,
    value: slowestSecond,
    unit: 'fps',
    goal: { atLeast: 50 },
    comparison: `turn ${from} to ${to}; ${pauses}`,
  };
}

/** The number in the first prompt that is rendered. */
async function turnInView(page: Page): Promise<number> {
  const prompt = page.getByRole('log', { name: 'Conversation' }).getByText(/^Prompt number \d+$/);
  return Number(/\d+/.exec((await prompt.first().textContent()) ?? '')?.[0]);
}
