// Whatever Markdown a model writes: Telegram accepts the HTML and shows no more than was written, Discord's form can be
// converted again, and split messages stay within their limit and lose nothing.
import { parseTelegramHtml } from '@parley/stand-ins';
import { fuzz } from '../../../fuzz/fuzz.ts';
import { cutIntoPieces, splitText } from '../src/doors/bots/core/split-text.ts';
import { toDiscordMarkdown } from '../src/doors/bots/discord/markdown.ts';
import { toTelegramHtml } from '../src/doors/bots/telegram/markdown-html.ts';

await fuzz({
  name: 'markdown',
  seeds: [
    '# Title\n\n**bold *and italic*** `a < b` ~~gone~~ \\*not italic\\*',
    '- one\n  * [x] two\n1. three\n\n> quoted\n> > twice\n\n---\n#### Deep ####',
    '| a | b |\n|---|:-:|\n| 1 | `2` |\n\n[text](https://example.org/a_(b)?c=1&d=2) ![image](https://a.b/c.png)',
    '```ts\nif (a < b) {}\n```\n~~~~\n```\n~~~~\n    indented\n<div>&amp;</div> www.a.b a[^1]\n\n[^1]: c',
    '👩‍👩‍👧‍👦 e\u0301 漢 Dr. Who. One sentence. Another one!\n\n\nThe end.',
  ],
  words:
    '** * _ __ ~~ ` ``` ```js\n ~~~ [ ] ](https://a.b) ![ ]: <b> &amp; | |---| \\ - [x] 1. https:// \n\n \n> \n# \n- \t'.split(
      ' ',
    ),
  check(input, random) {
    const text = input.toString();
    const shown = parseTelegramHtml(toTelegramHtml(text)).text;
    if (shown.length > text.length) throw new Error(`Telegram shows more: ${JSON.stringify(shown)}`);
    toDiscordMarkdown(toDiscordMarkdown(text));
    const limit = 32 + random.int(400);
    const tooLong = splitText(text, limit).find(({ length }) => length > limit);
    if (tooLong !== undefined) throw new Error(`longer than ${limit}: ${JSON.stringify(tooLong)}`);
    const joined = cutIntoPieces(text, limit)
      .map(({ body }) => body)
      .join('');
    if (joined !== text) throw new Error(`split into ${JSON.stringify(joined)}`);
  },
});
