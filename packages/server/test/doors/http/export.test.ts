// Conversations as files: every format, whole and in part, and nothing in them that a browser would run or load.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toSafeHtml } from '../../../src/content/markdown-html.ts';
import { type ExportItem, itemsOfPages } from '../../../src/doors/http/export/read-items.ts';
import { file } from '../../support/files.ts';
import { png } from '../../support/images.ts';
import { type DoorHarness, startDoor, until } from './door-harness.ts';

let door: DoorHarness;
let session: string;
const turns: string[] = [];

beforeAll(async () => {
  door = await startDoor();
  const created = await door.post('/api/sessions', { assistant: 'notes', title: 'Über <Pläne> & "mehr"' });
  session = ((await created.json()) as { id: string }).id;
  for (const body of [
    { message: '<img src=x onerror=alert(1)> first', image: png(3, 2), files: [file('list.txt', 'milk')] },
    { message: 'second' },
  ]) {
    const sent = await door.post(`/api/sessions/${session}/prompts`, body);
    turns.push(((await sent.json()) as { turnId: string }).turnId);
    await until(async () =>
      (await door.gateway.turns('sebastian', session)).every(({ status }) => status === 'completed'),
    );
  }
});
afterAll(() => door.stop());

const exported = (query: string, init = {}) => door.fetch(`/api/sessions/${session}/export?${query}`, init);

describe('an export', () => {
  it('is Markdown with everything that was said [app.export.formats]', async () => {
    const response = await exported('format=md');
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(response.headers.get('content-disposition')).toContain(
      `filename*=UTF-8''${encodeURIComponent('Über <Pläne> & "mehr".md')}`,
    );
    const text = await response.text();
    expect(text).toMatch(/^# Über <Pläne> & "mehr"\n/);
    expect(text.indexOf('first')).toBeLessThan(text.indexOf('second'));
    expect(text).toContain('- Picture: image/png\n- File: list.txt');
    expect(text).toContain('## You · ');
  });

  it('is JSON with the ids of the turns [app.export.formats]', async () => {
    const body = (await (await exported('format=json')).json()) as { title: string; items: ExportItem[] };
    expect(body.title).toBe('Über <Pläne> & "mehr"');
    const prompts = body.items.filter((item) => item.kind === 'prompt');
    expect(prompts.map(({ id }) => id)).toEqual(turns);
    expect(prompts[0]).toMatchObject({ files: [{ name: 'list.txt' }], images: [{ mediaType: 'image/png' }] });
    expect(body.items.some((item) => item.kind === 'answer')).toBe(true);
  });

  it('is a page that loads and runs nothing [app.export.safe-html]', async () => {
    const response = await exported('format=html&show=true&language=de');
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; img-src data:;/);
    const html = await response.text();
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; first');
    expect(html).toContain('<h1 dir="auto">Über &lt;Pläne&gt; &amp; &quot;mehr&quot;</h1>');
    expect(html).toContain('<html lang="de">');
    expect(html).toContain('<h2>Du ');
    const loaded = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address?.slice(0, 11));
    expect(loaded).toEqual(['data:image/']);
    expect(html).not.toMatch(/<(script|iframe|link|object|form)/i);
  });

  it('has only the selected turns [app.export.formats]', async () => {
    const text = await (await exported(`format=md&turns=${turns[1]}`)).text();
    expect(text).toContain('second');
    expect(text).not.toContain('first');
  });

  it('is for those who may read the conversation, and says who wrote what [team.share.export]', async () => {
    const asPetra = { headers: { 'x-notes-person': 'petra' } };
    expect((await exported('format=md', asPetra)).status).toBe(404);
    await door.fetch(`/api/sessions/${session}/shares`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ with: 'petra', level: 'read' }),
    });
    expect(await (await exported('format=md', asPetra)).text()).toContain('## sebastian ·');
    expect(await (await exported('format=md')).text()).toContain('## You ·');
    expect((await exported('format=docx')).status).toBe(400);
  });
});

describe('the pages of a long transcript', () => {
  it('are read oldest first, one at a time, and nothing that is written meanwhile makes a gap [app.export.bounded]', async () => {
    const line = (number: number) => ({
      at: number,
      event: {
        type: 'frame' as const,
        raw: '',
        uuid: `uuid-${number}`,
        means: [
          { type: 'message' as const, role: 'user' as const, content: [{ type: 'text', text: `${number}` }] },
        ],
      },
    });
    let lines = 1_000;
    let held = 0;
    let maxHeld = 0;
    const read = async (before: string | undefined) => {
      const end = before === undefined ? lines : Number(before);
      lines += 7;
      held += 1;
      maxHeld = Math.max(maxHeld, held);
      queueMicrotask(() => {
        held -= 1;
      });
      const start = Math.max(0, end - 100);
      const entries = Array.from({ length: end - start }, (_, at) => line(start + at));
      return { entries, before: start === 0 ? null : String(start) };
    };
    const said: string[] = [];
    for await (const item of itemsOfPages(read, () => undefined))
      if (item.kind === 'prompt') said.push(item.text);
    expect(said).toEqual(Array.from({ length: 1_000 }, (_, at) => String(at)));
    expect(maxHeld).toBe(1);
  });
});

describe('Markdown on a page', () => {
  it('cannot leave the address of a link [app.export.safe-html]', () => {
    const html = toSafeHtml('[x](<https://example.org/"onclick="alert(1)>)');
    expect(html).toContain('href="https://example.org/&quot;onclick=&quot;alert(1)"');
  });

  it.each([
    ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
    ['[x](javascript:alert(1))', '<p>x</p>'],
    [
      '![pixel](https://example.org/a.png)',
      '<p><a href="https://example.org/a.png" rel="noopener noreferrer nofollow">pixel</a></p>',
    ],
    ['**a** `b<c` ~~d~~', '<p><strong>a</strong> <code>b&lt;c</code> <del>d</del></p>'],
    [
      '| a |\n|---|\n| b |',
      '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>',
    ],
    ['- [x] done', '<ul><li>☑ <p>done</p></li></ul>'],
    ['```js\n</code>\n```', '<pre><code>&lt;/code&gt;</code></pre>'],
  ])('%j is safe [app.export.safe-html]', (markdown, html) => {
    expect(toSafeHtml(markdown)).toBe(html);
  });
});
