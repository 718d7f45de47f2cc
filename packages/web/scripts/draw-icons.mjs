// Draws the app's PNG icons from its mark. Run it after changing public/icon.svg, and commit the result.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { chromiumFromNpm } from './chromium.mjs';

const folder = new URL('../public/', import.meta.url);
const mark = readFileSync(new URL('icon.svg', folder), 'utf8');
// Systems crop maskable icons and Apple's icons into shapes of their own, so the color goes to the edge and the mark
// stays in the middle.
const fullBleed = mark.replace(' rx="9"', '');
const icons = [
  { name: 'icon-192.png', side: 192, svg: mark, scale: 1 },
  { name: 'icon-512.png', side: 512, svg: mark, scale: 1 },
  { name: 'icon-maskable-512.png', side: 512, svg: fullBleed, scale: 0.8 },
  { name: 'apple-touch-icon.png', side: 180, svg: fullBleed, scale: 0.9 },
];

const browser = await chromium.launch({
  executablePath: await chromiumFromNpm(),
  args: ['--no-sandbox'],
});
try {
  for (const { name, side, svg, scale } of icons) {
    const page = await browser.newPage({ viewport: { width: side, height: side } });
    const ground = scale < 1 ? 'background:#0f6f66' : '';
    await page.setContent(
      `<style>body{margin:0;${ground}}svg{display:block;width:${side * scale}px;margin:${(side * (1 - scale)) / 2}px}</style>${svg}`,
    );
    await page.screenshot({ path: fileURLToPath(new URL(name, folder)), omitBackground: true });
    await page.close();
  }
} finally {
  await browser.close();
}
