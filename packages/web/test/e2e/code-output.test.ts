// Output of commands in the colors they chose, with the real program.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { conversation } from './chat-page.ts';
import { fillInSession, hear } from './code-pages.ts';
import { expectAccessible, patienceMs } from './harness.ts';
import { runningParley } from './running-parley.ts';

const parley = runningParley();

describe('the output of a command', { timeout: patienceMs }, () => {
  it('has its colors in both themes, and nothing that only a terminal understands', async () => {
    // A file name may contain anything, and `ls` prints it unchanged.
    const name =
      '\u001b[1;31mfailed\u001b[0m \u001b[38;5;34mpassed\u001b[m \u001b[30;46mRUN\u001b[49m\u001b]0;title\u0007\u001b[39;2mquiet\u001b[2K\u001b[0m';
    const folder = join(parley.home, 'demo', 'projects', 'reading-list', 'colors');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), '');
    const page = await parley.visit({ path: '/code/new' });
    await fillInSession(page, 'Run ls colors');
    await hear(page, /tokens written/);
    const output = conversation(page).locator('pre', { hasText: 'passed' }).first();
    await expect.poll(() => output.textContent()).toBe('failed passed RUNquiet');
    const failed = output.getByText('failed');
    expect(await failed.evaluate((part) => getComputedStyle(part).fontWeight)).toBe('700');
    const seen = new Set<string>();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-theme="${colorScheme}"]`).waitFor();
      for (const part of await output.locator('span').all())
        seen.add(await part.evaluate((element) => getComputedStyle(element).color));
      await expectAccessible(page);
    }
    // Red, green, a filled background and dim, in two themes; spaces have the color of text.
    expect(seen.size).toBe(10);
  });
});
