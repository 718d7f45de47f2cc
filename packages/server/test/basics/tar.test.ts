import { describe, expect, it } from 'vitest';
import { readTar, tarEnd, tarHeader, tarPadding } from '../../src/basics/tar.ts';

/** A file with a long name, so that its attributes come first; `size` is what they say about its size. */
function archive(size: string): Buffer {
  const path = `${'folder/'.repeat(20)}file`;
  const head = tarHeader({ path, size: 3, mode: 0o600, modifiedAt: 0 });
  head.write(size, head.indexOf('size=3') + 5);
  return Buffer.concat([head, Buffer.from('abc'), tarPadding(3), tarEnd]);
}

async function sizesIn(bytes: Buffer): Promise<number[]> {
  const sizes: number[] = [];
  const pieces = (async function* () {
    yield bytes;
  })();
  for await (const { size } of readTar(pieces)) sizes.push(size);
  return sizes;
}

describe('reading an archive', () => {
  it('takes the size of a file from its attributes', async () => {
    expect(await sizesIn(archive('3'))).toEqual([3]);
  });

  it.each(['a', '-', ' ', '.'])('refuses the size “%s”', async (size) => {
    await expect(sizesIn(archive(size))).rejects.toThrow('The archive is damaged.');
  });
});
