import { parseTelegramHtml } from '@parley/stand-ins';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toTelegramHtml } from '../../../../src/doors/channels/telegram/markdown-html.ts';

describe('Markdown for Telegram', () => {
  it.each([
    ['**bold** and *italic*', '<b>bold</b> and <i>italic</i>'],
    ['__bold__ and _italic_', '<b>bold</b> and <i>italic</i>'],
    ['***both***', '<b><i>both</i></b>'],
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
  ])('%s', (markdown, html) => {
    expect(toTelegramHtml(markdown)).toBe(html);
  });

  it('is always well-formed, and never longer than what was written', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '**',
        '*',
        '_',
        '__',
        '~~',
        '`',
        '```',
        '\n',
        '[',
        '](https://a.b)',
        '<b>',
        '&',
        '&amp;',
        '> ',
        '# ',
        '- ',
        '|',
        '\\',
        ' ',
        '|---|---|',
      ),
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

  it('takes no long time for any text', () => {
    for (const unit of ['**', '*a', '_', '[', '`', '~~a', '***']) {
      const markdown = unit.repeat(Math.floor(4_096 / unit.length));
      expect(parseTelegramHtml(toTelegramHtml(markdown)).text.length).toBeLessThanOrEqual(4_096);
    }
  });
});
