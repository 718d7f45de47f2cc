// The manifests of the published packages match their contents.
import { join } from 'node:path';
import { publint } from 'publint';
import { describe, expect, it } from 'vitest';

describe('a published package', () => {
  it.each(['claude-cli', 'recipe-vault'])('%s has a correct manifest', async (name) => {
    const { messages } = await publint({
      pkgDir: join(import.meta.dirname, '..', 'packages', name),
      strict: true,
    });
    expect(messages).toEqual([]);
  });
});
