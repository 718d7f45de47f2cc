// Compares screenshots with small stored ones, in gray and a tenth of their size: fonts, smoothing and single letters don't
// matter, but what moves, disappears or changes its color does.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Page } from 'playwright-core';

/** The largest difference of a square, from 0 to 255. Letters in it differ by less. */
const tolerated = 12;
/** Set it to 1 to store the current looks, and look at the pictures before you commit them. */
const isUpdate = process.env['PARLEY_UPDATE_LOOKS'] === '1';

export interface Looks {
  /** How much the page differs from what is stored; 0 if it is stored now. */
  difference(page: Page, file: string): Promise<number>;
  isFine(difference: number): boolean;
}

/** `studio` is an empty page, whose browser decodes and shrinks pictures. */
export function looksIn(studio: Page): Looks {
  return {
    async difference(page, file) {
      const shot = await page.screenshot({ animations: 'disabled', caret: 'hide' });
      const small = await studio.evaluate(shrink, shot.toString('base64'));
      if (isUpdate) {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, Buffer.from(small, 'base64'));
        return 0;
      }
      if (!existsSync(file)) throw new Error(`${file} is missing. Run the tests with PARLEY_UPDATE_LOOKS=1.`);
      const stored = readFileSync(file).toString('base64');
      return studio.evaluate(compare, [small, stored] as const);
    },
    isFine: (difference) => difference <= tolerated,
  };
}

/** Runs in the studio. Returns a PNG in gray. */
async function shrink(shot: string): Promise<string> {
  const bytes = Uint8Array.from(atob(shot), (letter) => letter.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes]));
  const width = Math.round(picture.width / 10);
  const height = Math.round(picture.height / 10);
  const canvas = new OffscreenCanvas(width, height);
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('The browser has no canvas.');
  const whole = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
  if (!whole) throw new Error('The browser has no canvas.');
  whole.drawImage(picture, 0, 0);
  const { data } = whole.getImageData(0, 0, picture.width, picture.height);
  const small = pen.createImageData(width, height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      let sum = 0;
      let count = 0;
      for (let dy = 0; dy < 10 && y * 10 + dy < picture.height; dy += 1)
        for (let dx = 0; dx < 10 && x * 10 + dx < picture.width; dx += 1) {
          const at = ((y * 10 + dy) * picture.width + x * 10 + dx) * 4;
          sum += 0.3 * (data[at] ?? 0) + 0.59 * (data[at + 1] ?? 0) + 0.11 * (data[at + 2] ?? 0);
          count += 1;
        }
      // In 16 steps, which takes less than half the bytes.
      const gray = Math.round(sum / count / 17) * 17;
      small.data.set([gray, gray, gray, 255], (y * width + x) * 4);
    }
  pen.putImageData(small, 0, 0);
  const png = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer());
  return btoa(String.fromCharCode(...png));
}

/** Runs in the studio. The largest mean difference of a square of 4 x 4 pixels, or of another size as a whole. */
async function compare(pictures: readonly [string, string]): Promise<number> {
  const [one, other] = await Promise.all(
    pictures.map(async (text) => {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      const picture = await createImageBitmap(new Blob([bytes]));
      const pen = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
      pen?.drawImage(picture, 0, 0);
      return pen?.getImageData(0, 0, picture.width, picture.height);
    }),
  );
  if (!one || !other || one.width !== other.width || one.height !== other.height) return 255;
  const { width, height } = one;
  let largest = 0;
  for (let top = 0; top + 4 <= height; top += 2)
    for (let left = 0; left + 4 <= width; left += 2) {
      let sum = 0;
      for (let y = top; y < top + 4; y += 1)
        for (let x = left; x < left + 4; x += 1) {
          const at = (y * width + x) * 4;
          sum += (one.data[at] ?? 0) - (other.data[at] ?? 0);
        }
      largest = Math.max(largest, Math.abs(sum) / 16);
    }
  return largest;
}
