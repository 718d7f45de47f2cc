import { parseTelegramHtml } from '@parley/stand-ins';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toTelegramHtml } from '../../../../src/doors/bots/telegram/markdown-html.ts';

const markup = '** * _ __ ~~ ` ``` [ ] ](https://a.b) ](c) ![ <b> & &amp; | \\ |---|---|'
  .split(' ')
  .concat('\n', '\n\n', ' ', '    ', '\t', '> ', '# ', '- ', '- [x] ', '1. ', '\n---\n', ']: ');

describe('Markdown for Telegram', () => {
  it.each([
    ['**bold** and *italic*', '<b>bold</b> and <i>italic</i>'],
    ['__bold__ and _italic_', '<b>bold</b> and <i>italic</i>'],
    ['***both***', '<i><b>both</b></i>'],
    ['**bold *and italic***', '<b>bold <i>and italic</i></b>'],
    ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
    ['~~gone~~', '<s>gone</s>'],
    ['`a < b && c`', '<code>a &lt; b &amp;&amp; c</code>'],
    ['`` a ` b ``', '<code>a ` b</code>'],
    ['**a `**` b**', '<b>a <code>**</code> b</b>'],
    ['# Title', '<b>Title</b>'],
    ['- one\n  * two\n+ three', '• one\n  • two\n• three'],
    ['- [ ] open\n- [x] done', '☐ open\n☑ done'],
    ['1. first', '1. first'],
    ['> quoted\n> twice', '<blockquote>quoted\ntwice</blockquote>'],
    ['[text](https://example.org/a_(b)?c=1&d=2)', '<a href="https://example.org/a_(b)?c=1&amp;d=2">text</a>'],
    ['[text](javascript:alert(1))', '[text](javascript:alert(1))'],
    ['![image](https://example.org/i.png)', '<a href="https://example.org/i.png">image</a>'],
    ['\\*not italic\\*', '*not italic*'],
    ['a <script> & "b"', 'a &lt;script&gt; &amp; &quot;b&quot;'],
    ['```ts\nif (a < b) {}\n```', '<pre><code class="language-ts">if (a &lt; b) {}</code></pre>'],
    ['```\n**plain**\n```', '<pre>**plain**</pre>'],
    ['```js\nnever closed', '<pre><code class="language-js">never closed</code></pre>'],
    ['| a | b |\n|---|---|\n| 1 | 2 |', '<pre>| a | b |\n|---|---|\n| 1 | 2 |</pre>'],
    ['---', '———'],
    ['one\n\n\ntwo  \nthree', 'one\n\n\ntwo\nthree'],
    ['1. a\n   - b\n\n     c\n2) d', '1. a\n   • b\n\n     c\n2) d'],
    ['- a\n  ```\n  b\n  ```', '• a\n<pre>b</pre>'],
    ['> a\n> > b\n> - c', '<blockquote>a\nb\n• c</blockquote>'],
    ['> | a |\n> |---|', '<blockquote><pre>| a |\n|---|</pre></blockquote>'],
    ['[![alt](https://a.b/c)](https://d.e)', '<a href="https://d.e">alt</a>'],
    ['[](https://a.b)', '<a href="https://a.b">https://a.b</a>'],
    ['see www.a.b', 'see <a href="http://www.a.b">www.a.b</a>'],
    ['a[^1] [b]\n\n[^1]: c\n\n[b]: d', 'a[^1] [b]\n\n[^1]: c\n\n[b]: d'],
    ['<div>\n**a**\n</div>', '&lt;div&gt;\n<b>a</b>\n&lt;/div&gt;'],
    ['-\t\ta', '-\t\ta'],
  ])('%s', (markdown, html) => {
    expect(toTelegramHtml(markdown)).toBe(html);
  });

  it('is always valid, and never longer than the Markdown', () => {
    const piece = fc.oneof(
      fc.constantFrom(...markup),
      fc.string({ maxLength: 10 }),
      fc.string({ unit: 'binary', maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const markdown = pieces.join('');
        expect(parseTelegramHtml(toTelegramHtml(markdown)).text.length).toBeLessThanOrEqual(markdown.length);
      }),
      { numRuns: 2_000 },
    );
  });

  it('shows every word, in order', () => {
    const pieces = fc.array(fc.oneof(fc.constant('word'), fc.constantFrom(...markup)), { maxLength: 60 });
    fc.assert(
      fc.property(pieces, (given) => {
        const markdown = given.map((piece, index) => (piece === 'word' ? `w${index}w` : piece)).join('');
        expectWords(markdown);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(['**', '*a', '_', '[', '`', '~~a', '***', '> ', '- ', '|-', '\\', '![a]('])(
    'shows a whole message of %s',
    (unit) => {
      expectWords(`w1w ${unit.repeat(Math.floor(4_080 / unit.length))} w2w`);
    },
  );
});

/** Telegram accepts the HTML and shows all words in order, except in the info string of a code block. */
function expectWords(markdown: string): void {
  // They end with a letter, because markup may leave a number right behind one.
  const words = /w\d+w/g;
  const written: readonly string[] = markdown.match(words) ?? [];
  const shown: readonly string[] = parseTelegramHtml(toTelegramHtml(markdown)).text.match(words) ?? [];
  expect(shown).toEqual(written.filter((word) => shown.includes(word)));
  const infos = markdown.split('\n').filter((line) => /`{3}|~{3}/.test(line));
  const missing = written.filter((word) => !shown.includes(word));
  expect(missing.filter((word) => !infos.some((line) => line.includes(word)))).toEqual([]);
}
