// Takes the pictures, the animation and the video for the documents, from a real server in demo mode with the real
// `claude` program.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openBrowser, startParley, visit } from '../test/e2e/harness.ts';
import { filmOf, type Shot } from './pictures/film.ts';
import { readPng, writeAnimation, writePng } from './pictures/png.ts';
import * as scenes from './pictures/scenes.ts';
import { takeStills } from './pictures/stills.ts';
import { encodeVideo } from './pictures/webm.ts';

const folder = join(process.cwd(), 'docs', 'images');
const browser = await openBrowser();
try {
  mkdirSync(folder, { recursive: true });
  await takeStills(browser, (name, png) => store(`${name}.png`, writePng(readPng(png))));
  await film(scenes.animation, { width: 880, height: 580 }, async (shots) =>
    store('demo.png', writeAnimation(shots.map(({ png, ms }) => ({ picture: readPng(png), ms })))),
  );
  const size = { width: 1280, height: 800 };
  await film(scenes.video, size, async (shots, studio) =>
    store('demo.webm', await encodeVideo(studio, shots, size)),
  );
} finally {
  await browser.close();
}

async function film(
  shown: readonly scenes.Scene[],
  viewport: { readonly width: number; readonly height: number },
  use: (shots: readonly Shot[], page: Page) => Promise<void>,
): Promise<void> {
  const parley = await startParley();
  try {
    const page = await visit(browser, parley, { colorScheme: 'light', viewport });
    await scenes.prepare(page, parley);
    await page.goto(parley.url);
    await page.getByRole('radiogroup', { name: 'Choose an assistant' }).waitFor();
    const { shots, ...camera } = await filmOf(page);
    for (const scene of shown) await scene(page, camera);
    const seconds = shots.reduce((sum, { ms }) => sum + ms, 0) / 1000;
    console.log(`filmed ${shots.length} pictures, ${seconds.toFixed(1)} s`);
    await use(shots, page);
  } finally {
    await parley.stop();
  }
}

function store(name: string, bytes: Buffer): void {
  writeFileSync(join(folder, name), bytes);
  console.log(`wrote docs/images/${name}, ${Math.round(bytes.length / 1000)} KB`);
}
