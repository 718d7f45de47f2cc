// The packages that others may install on their own say truthfully what is in them.
import { join } from 'node:path';
import { publint } from 'publint';
import { describe, expect, it } from 'vitest';

describe('a published package', () => {
  it.each(['claude-cli', 'recipe-vault'])('%s is in order', async (name) => {
    const { messages } = await publint({
      pkgDir: join(import.meta.dirname, '..', 'packages', name),
      strict: true,
    });
    expect(messages).toEqual([]);
  });
});
