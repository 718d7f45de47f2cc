// The panel next to a session in a real browser: how soon a folder of 100,000 files opens, and how smoothly a diff of 10,000
// lines scrolls.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type Figure, percentile, report } from '../../../bench/report.ts';
import { beginSession } from '../test/e2e/code-pages.ts';
import { openBrowser, type Parley, startParley, visit } from '../test/e2e/harness.ts';
import { scroll } from './parts/scroll.ts';

const full = process.argv.includes('--full');
const files = 100_000;
const lines = 10_000;
await measure();

async function measure(): Promise<void> {
  const parley = await startParley();
  const browser = await openBrowser();
  try {
    const folder = join(parley.home, 'demo/projects/reading-list');
    const page = await visit(browser, parley, { path: '/code' });
    const session = await beginSession(page, parley);
    prepare(folder);
    report('panel', [
      ...(await treeFigures(page, parley, session, full ? 20 : 5)),
      ...(await diffFigures(page, parley, session)),
    ]);
  } finally {
    await browser.close();
    await parley.stop();
  }
}

function prepare(folder: string): void {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
      cwd: folder,
    });
  git('init', '--quiet');
  writeFileSync(join(folder, '.gitignore'), 'many/\n');
  const text = (change: string) =>
    Array.from({ length: lines / 2 }, (_, at) => `let line${at} = run(${at}); // ${change}`).join('\n');
  writeFileSync(join(folder, 'long.ts'), text('before'));
  git('add', '-A');
  git('commit', '--quiet', '-m', 'first');
  writeFileSync(join(folder, 'long.ts'), text('after'));
  mkdirSync(join(folder, 'many'));
  for (let at = 0; at < files; at += 1) writeFileSync(join(folder, 'many', `file-${at}.txt`), '');
}

async function treeFigures(page: Page, parley: Parley, session: string, rounds: number): Promise<Figure[]> {
  const opened: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await page.goto(`${parley.url}/code/${session}?panel=files`);
    const folder = page.getByRole('treeitem', { name: /^many\b/ });
    await folder.waitFor();
    // Measured in the page, because each step from outside takes a few milliseconds.
    opened.push(
      await folder.evaluate(async (element) => {
        const start = performance.now();
        (element as HTMLElement).click();
        while (document.querySelector('[role=treeitem][aria-label^="file-0.txt"]') === null)
          await new Promise(requestAnimationFrame);
        return performance.now() - start;
      }),
    );
  }
  return [
    {
      what: `a folder of ${files} files: from the click to its first rows, p50`,
      value: percentile(opened, 0.5),
      unit: 'ms',
      goal: { atMost: 100 },
      comparison: `first time: ${Math.round(opened[0] ?? 0)} ms`,
    },
  ];
}

async function diffFigures(page: Page, parley: Parley, session: string): Promise<Figure[]> {
  await page.goto(`${parley.url}/code/${session}?panel=changes&file=long.ts`);
  const scroller = page.getByRole('group', { name: 'Changed lines' });
  const figures: Figure[] = [];
  for (const how of ['in one column', 'side by side'] as const) {
    await scroller.locator('code span[style]').first().waitFor();
    if (how === 'side by side') await page.getByRole('button', { name: 'Side by side' }).click();
    const { x, y, width, height } = (await scroller.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    let direction = 1;
    for (const pxPerSecond of [2_000, 8_000]) {
      const distance = direction * pxPerSecond * (full ? 10 : 4);
      const { slowestSecond, pauses } = await scroll(
        page,
        { x: x + width / 2, y: y + height / 2 },
        { distance, pxPerSecond },
      );
      direction = -direction;
      figures.push({
        what: `a diff of ${lines} lines ${how}, ${pxPerSecond} px/s: frames in the slowest second`,
        value: slowestSecond,
        unit: 'fps',
        goal: { atLeast: 50 },
        comparison: pauses,
      });
    }
  }
  return figures;
}
