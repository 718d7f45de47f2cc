// Films a page: a picture after each step, shown for as long as the step says. Film time is not clock time, so a slow
// machine makes almost the same film.
import type { Locator, Page } from 'playwright-core';

export interface Shot {
  readonly png: Buffer;
  readonly ms: number;
}

export interface Camera {
  /** Shows the page as it is. */
  hold(ms: number): Promise<void>;
  /** Shows what happens until the promise settles. */
  follow(end: Promise<unknown>): Promise<void>;
  type(field: Locator, text: string): Promise<void>;
  /** Moves the pointer there first. */
  click(target: Locator): Promise<void>;
}

const stepMs = 70;
/** How long each picture is shown while following something. */
const followMs = 100;
const maxStill = 4;
const pointerSteps = 6;

export interface Film extends Camera {
  readonly shots: readonly Shot[];
}

export async function filmOf(page: Page): Promise<Film> {
  const shots: { png: Buffer; ms: number }[] = [];
  const shoot = async (ms: number) => {
    const png = await page.screenshot();
    const last = shots.at(-1);
    if (last?.png.equals(png)) last.ms += ms;
    else shots.push({ png, ms });
  };
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  let pointer = { x: width * 0.6, y: height * 0.75 };
  await page.evaluate(drawPointer, pointer);
  return {
    shots,
    hold: shoot,
    async follow(end) {
      let isOver = false;
      const over = end.finally(() => {
        isOver = true;
      });
      // Long waits in which nothing changes are cut short.
      for (let still = 0; !isOver; ) {
        const before = shots.length;
        await shoot(still < maxStill ? followMs : 0);
        still = shots.length === before ? still + 1 : 0;
      }
      await over;
    },
    async type(field, text) {
      for (const letters of text.match(/.{1,2}/g) ?? []) {
        await field.pressSequentially(letters);
        await shoot(stepMs);
      }
    },
    async click(target) {
      await target.scrollIntoViewIfNeeded();
      const box = await target.boundingBox();
      if (!box) throw new Error('The element to click is not visible.');
      const goal = { x: box.x + Math.min(box.width / 2, 60), y: box.y + box.height / 2 };
      const start = pointer;
      for (let step = 1; step <= pointerSteps; step += 1) {
        const part = (1 - Math.cos((Math.PI * step) / pointerSteps)) / 2;
        pointer = { x: start.x + (goal.x - start.x) * part, y: start.y + (goal.y - start.y) * part };
        await page.evaluate(drawPointer, pointer);
        await shoot(stepMs);
      }
      await shoot(4 * stepMs);
      await target.click();
    },
  };
}

/** Runs in the page, because screenshots don't show the pointer. */
function drawPointer({ x, y }: { x: number; y: number }): void {
  const name = 'film-pointer';
  let pointer = document.getElementById(name);
  if (!pointer) {
    const svg = 'http://www.w3.org/2000/svg';
    const arrow = document.createElementNS(svg, 'svg');
    const path = document.createElementNS(svg, 'path');
    path.setAttribute('d', 'M2 1 L2 18 L6.5 14 L9.5 20.5 L12.5 19 L9.5 13 L15.5 13 Z');
    for (const [key, value] of Object.entries({ fill: '#111', stroke: '#fff', 'stroke-width': '1.5' }))
      path.setAttribute(key, value);
    for (const [key, value] of Object.entries({ width: '18', height: '23', viewBox: '0 0 18 23' }))
      arrow.setAttribute(key, value);
    arrow.append(path);
    pointer = document.createElement('div');
    pointer.id = name;
    Object.assign(pointer.style, { position: 'fixed', zIndex: '2147483647', pointerEvents: 'none' });
    pointer.append(arrow);
    document.documentElement.append(pointer);
  }
  Object.assign(pointer.style, { left: `${x}px`, top: `${y}px` });
}
