// One server per data folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockFolder } from '../../src/stores/sqlite/folder-lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the lock of a data folder', () => {
  it('has one owner at a time', async () => {
    const first = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toMatchObject({
      code: 'conflict',
      message: `Another Parley is already using the data in ${folder}. Use that one, stop it, or start this one with another --home.`,
    });
    await first.close();
    await first.close();
    await (await lockFolder(folder)).close();
  });

  it('is refused when there is no folder', async () => {
    await expect(lockFolder(join(folder, 'missing'))).rejects.toMatchObject({ code: 'unavailable' });
  });
});
