// What happens to a page that exceeds the limits of the reader.
import { describe, expect, it } from 'vitest';
import { createPageReader } from '../../../src/tools/web/readable-page.ts';

describe('a page that exceeds the limits of the reader', () => {
  // No time for the thread, so that every page becomes plain text.
  const read = createPageReader({ timeoutMs: 0 });
  const readAsText = (html: string) =>
    read(html, 'https://example.org/', new AbortController().signal).then(({ markdown }) => markdown);

  it('becomes text without tags, scripts and comments', async () => {
    const html =
      '<title>Soup</title><p class="a">Boil &amp; <b>stir</b>.</p><script>go()</script><!-- no --><p>2 < 3</p>';

    expect(await readAsText(html)).toBe('Soup\nBoil & stir .\n\n2 < 3');
  });

  it.each(['<p ', '<b ', '<script ', '<!-- ', '</script ', '<title ', '&#1', '\n \n'])(
    'is read in one pass, even if %j never ends',
    async (piece) => {
      const length = await readAsText(`<div>${piece.repeat(200_000)}`).then((text) => text.length);

      expect(length).toBeLessThanOrEqual(piece.length * 200_000);
    },
  );
});
