// The page in a real browser: how much it loads at first, how soon it can be used, and whether a long streamed answer
// ever blocks it.
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { createGate, reply, say, wait, withOptions } from '@parley/stand-ins';
import type { Browser } from 'playwright-core';
import { type Figure, percentile, report } from '../../../bench/report.ts';
import { openBrowser, type Parley, startParley, visit } from '../test/e2e/harness.ts';
import { watchTasks } from './parts/main-thread.ts';

const full = process.argv.includes('--full');
await measure();

async function measure(): Promise<void> {
  const parley = await startParley({ scripted: true });
  const browser = await openBrowser();
  try {
    report('page', [
      ...(await loadFigures(browser, parley, full ? 20 : 5)),
      // A thousand pieces a second is several times what the fastest models write.
      await streamFigure(browser, parley, { pieces: 5_000, everyMs: 1, shape: 'words' }),
      await streamFigure(browser, parley, { pieces: 5_000, everyMs: 1, shape: 'words and code' }),
      await streamFigure(browser, parley, { pieces: 5_000, everyMs: 1, shape: 'one block of code' }),
      await streamFigure(browser, parley, { pieces: 5_000, everyMs: 0, shape: 'words' }),
    ]);
  } finally {
    await browser.close();
    await parley.stop();
  }
}

async function loadFigures(browser: Browser, parley: Parley, rounds: number): Promise<Figure[]> {
  const page = await visit(browser, parley);
  const html = await (await page.request.get(parley.url)).text();
  const scripts = [...html.matchAll(/(?:src|href)="\.\/assets\/([^"]+\.js)"/g)].map(([, path = '']) => path);
  const load = async (path: string) => (await page.request.get(`${parley.url}/assets/${path}`)).body();
  const bodies = await Promise.all(scripts.map(load));
  // The page also loads the catalog of its language. German is the larger one.
  const catalog = /\bde-[\w-]+\.js/.exec(bodies.join('\n'))?.[0];
  if (catalog === undefined) throw new Error('The page has no German catalog.');
  bodies.push(await load(catalog));
  const usable: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // A new context each time, so that nothing is in the browser's cache.
    const context = await browser.newContext({ storageState: await page.context().storageState() });
    const fresh = await context.newPage();
    const start = performance.now();
    await fresh.goto(parley.url, { waitUntil: 'commit' });
    await fresh.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
    usable.push(performance.now() - start);
    await context.close();
  }
  await page.context().close();
  return [
    {
      what: 'JavaScript of the first load, gzipped',
      value: bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0) / 1_000,
      unit: 'KB',
      goal: { atMost: 200 },
    },
    {
      what: 'until somebody can type, nothing cached, p50',
      value: percentile(usable, 0.5),
      unit: 'ms',
      goal: { atMost: 1_000 },
    },
  ];
}

type Shape = 'words' | 'words and code' | 'one block of code';

async function streamFigure(
  browser: Browser,
  parley: Parley,
  { pieces, everyMs, shape }: { pieces: number; everyMs: number; shape: Shape },
): Promise<Figure> {
  const page = await visit(browser, parley);
  const gate = createGate();
  const words = piecesOf(shape, pieces);
  const answer = reply(say('Begin.\n\n'), wait(gate.opened), say(...words), say('\n\nThe end.'));
  parley.model?.enqueue(withOptions(answer, { pace: { everyMs } }));
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Tell me everything');
  await page.keyboard.press('Enter');
  await page.getByText('Begin.').waitFor();
  const endWatch = await watchTasks(browser, page);
  const start = performance.now();
  gate.open();
  // Doesn't wait for the text, because the page would search for it again and again, which is slow.
  await page.waitForFunction(isAnswered, undefined, { timeout: 120_000 });
  const took = performance.now() - start;
  await sleep(500);
  const { long, longestCpuMs } = await endWatch();
  await page.getByText('The end.').waitFor();
  await page.context().close();
  return {
    what: `longest task while ${pieces} pieces of ${shape} come, ${everyMs === 0 ? 'all at once' : 'one a millisecond'}`,
    value: Math.max(0, ...long),
    unit: 'ms',
    goal: { atMost: 50 },
    comparison: `${long.length} over 50 ms in ${Math.round(took)} ms; at most ${Math.round(longestCpuMs)} ms of CPU time`,
  };
}

function piecesOf(shape: Shape, count: number): string[] {
  if (shape === 'one block of code') {
    const code = Array.from({ length: count }, (_, at) =>
      at % 12 === 11 ? `"w${at}"; // line\n` : `w${at} + `,
    );
    return ['```ts\n', ...code, '\n```'];
  }
  return Array.from({ length: count }, (_, at) => {
    if (shape === 'words and code' && at % 500 === 250) return '\n\n```ts\nconst some = "code";\n```\n\n';
    return at % 40 === 39 ? `word${at}.\n\n` : `word${at} `;
  });
}

function isAnswered(): boolean {
  return document.querySelector('[role="log"] footer') !== null;
}
