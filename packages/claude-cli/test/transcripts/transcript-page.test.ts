import { appendFile, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { randomChunks, seededRandom } from '../../../../fuzz/random.ts';
import { readTranscriptPage, type TranscriptPage } from '../../src/index.ts';
import { linesBackward } from '../../src/transcripts/file-blocks.ts';
import {
  assistantLine,
  line,
  snapshotLine,
  temporaryFolder,
  userLine,
  writeTranscript,
} from './sample-lines.ts';

const textsOf = (page: TranscriptPage) =>
  page.messages.map(({ frame }) => (frame.body as { message: { content: unknown } }).message.content);

async function conversation(length: number): Promise<{ file: string; lines: string[] }> {
  const lines: string[] = [];
  for (let i = 0; i < length; i += 1) {
    lines.push(userLine(`prompt ${i} – “größer” 🙂 ${'x'.repeat(i % 700)}`));
    if (i % 5 === 0) lines.push(snapshotLine(20_000), line('file-history-snapshot', { snapshot: {} }));
  }
  return {
    file: await writeTranscript(await temporaryFolder(), lines),
    lines: lines.filter((text) => text.includes('prompt ')),
  };
}

describe('a transcript', () => {
  it('is paged backward from end to start, with each line verbatim and once [code.history.raw-lines, code.history.pages-backwards]', async () => {
    const { file, lines } = await conversation(333);
    for (const limit of [1, 7, 50, 1000]) {
      const seen: string[] = [];
      let before: number | undefined;
      do {
        const page = await readTranscriptPage(file, { limit, before });
        seen.unshift(...page.messages.map(({ frame }) => frame.text));
        before = page.before;
      } while (before !== undefined);
      expect(seen).toEqual(lines);
    }
  });

  it('is paged forward from start to end', async () => {
    const { file, lines } = await conversation(333);
    for (const limit of [1, 7, 50, 1000]) {
      const seen: string[] = [];
      let after = 0;
      for (;;) {
        const page = await readTranscriptPage(file, { limit, after });
        seen.push(...page.messages.map(({ frame }) => frame.text));
        if (page.messages.length === 0) break;
        after = page.after;
      }
      expect(seen).toEqual(lines);
    }
  });

  it('has the offset of each message, so that paging can start from any of them', async () => {
    const { file } = await conversation(60);
    const all = await readTranscriptPage(file, { limit: 1000 });
    const middle = all.messages[30];
    const before = await readTranscriptPage(file, { before: middle?.offset ?? -1, limit: 5 });
    const after = await readTranscriptPage(file, { after: middle?.offset ?? -1, limit: 5 });
    expect(textsOf(before)).toEqual(textsOf(all).slice(25, 30));
    expect(textsOf(after)).toEqual(textsOf(all).slice(30, 35));
  });

  it('can be read further from the last page while the program appends', async () => {
    const file = await writeTranscript(await temporaryFolder(), [userLine('one'), userLine('two')]);
    const page = await readTranscriptPage(file, { limit: 1 });
    expect(textsOf(page)).toEqual(['two']);
    const next = userLine('three');
    await appendFile(file, next.slice(0, 40));
    const unfinished = await readTranscriptPage(file, { after: page.after });
    expect(textsOf(unfinished)).toEqual([]);
    await appendFile(file, `${next.slice(40)}\n`);
    const finished = await readTranscriptPage(file, { after: unfinished.after });
    expect(finished.messages.map(({ frame }) => frame.text)).toEqual([next]);
    expect(textsOf(await readTranscriptPage(file, { before: page.before }))).toEqual(['one']);
  });

  it('leaves a last line that is still being written to the next reader', async () => {
    const file = await writeTranscript(await temporaryFolder(), [userLine('one')]);
    const two = userLine('two');
    await appendFile(file, two.slice(0, 50));
    const page = await readTranscriptPage(file);
    expect(textsOf(page)).toEqual(['one']);
    expect(page.damage.torn).toBe(1);
    await appendFile(file, `${two.slice(50)}\n`);
    expect(textsOf(await readTranscriptPage(file, { after: page.after }))).toEqual(['two']);
  });

  it('skips and counts damaged lines, and recovers what it can', async () => {
    const lines = [
      userLine('one'),
      '{"type":"user","message":{"role":"us',
      '\0'.repeat(5000),
      `${'\0'.repeat(100)}${userLine('behind zeros')}`,
      `${userLine('fused one')}${userLine('fused two')}`,
      'plain text',
      '',
      '[1,2]',
      assistantLine('last'),
    ];
    const file = await writeTranscript(await temporaryFolder(), lines);
    const expected = { nul: 2, fused: 1, torn: 0, invalid: 3, overlong: 0 };
    for (const options of [{}, { after: 0 }]) {
      const page = await readTranscriptPage(file, options);
      expect(textsOf(page)).toEqual([
        'one',
        'behind zeros',
        'fused one',
        'fused two',
        [{ type: 'text', text: 'last' }],
      ]);
      expect(page.damage).toEqual(expected);
    }
  });

  it('skips and counts lines over the limit', async () => {
    const file = await writeTranscript(await temporaryFolder(), [
      userLine('a'),
      userLine('x'.repeat(300_000)),
      userLine('b'),
    ]);
    for (const options of [{}, { after: 0 }]) {
      const page = await readTranscriptPage(file, { ...options, maxLineBytes: 100_000 });
      expect(textsOf(page)).toEqual(['a', 'b']);
      expect(page.damage.overlong).toBe(1);
    }
  });

  it('shows messages of unknown types, and everything when asked to', async () => {
    const file = await writeTranscript(await temporaryFolder(), [
      userLine('one'),
      line('cost-state', { totalCostUSD: 1 }),
      line('hologram', { depth: 3 }),
    ]);
    expect((await readTranscriptPage(file)).messages.map(({ frame }) => frame.kind)).toEqual([
      'user',
      'unknown',
    ]);
    expect((await readTranscriptPage(file, { accept: () => true })).messages).toHaveLength(3);
    expect((await readTranscriptPage(file, { accept: (type) => type === 'user' })).messages).toHaveLength(1);
  });

  it('reads a last line without newline if it is complete', async () => {
    const file = join(await temporaryFolder(), 'x.jsonl');
    await writeFile(file, `${userLine('one')}\n${userLine('two')}`);
    for (const options of [{}, { after: 0 }])
      expect(textsOf(await readTranscriptPage(file, options))).toEqual(['one', 'two']);
  });

  it('returns an empty page for an empty file, and an error for a missing one', async () => {
    const folder = await temporaryFolder();
    const file = await writeTranscript(folder, []);
    expect(await readTranscriptPage(file)).toMatchObject({ messages: [], before: undefined, after: 0 });
    await expect(readTranscriptPage(join(folder, 'none.jsonl'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('stops when asked to', async () => {
    const { file } = await conversation(3);
    await expect(readTranscriptPage(file, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  });
});

describe('reading lines backward', () => {
  it('returns the lines of any file in reverse, wherever block borders fall', async () => {
    const random = seededRandom(7);
    const folder = await temporaryFolder();
    for (let round = 0; round < 60; round += 1) {
      const stream = Buffer.concat(
        Array.from({ length: 200 }, () => {
          const size =
            random.pick([0, 1, 10, 900, 5000, 65_535, 65_536, 65_537]) * (random.int(10) === 0 ? 3 : 1);
          return Buffer.from(`${'é'.repeat(size / 2)}${random.int(3) === 0 ? '🙂' : ''}\n`);
        }).slice(0, 1 + random.int(40)),
      );
      const bytes = random.int(2) === 0 ? stream : (randomChunks(stream, random)[0] ?? stream);
      const file = join(folder, 'lines');
      await writeFile(file, bytes);

      const handle = await open(file);
      const seen: { offset: number; size: number }[] = [];
      try {
        for await (const group of linesBackward(handle, { end: bytes.length })) {
          for (const { offset, bytes: found } of group) {
            expect(found?.equals(bytes.subarray(offset, offset + found.length))).toBe(true);
            seen.unshift({ offset, size: found?.length ?? -1 });
          }
        }
      } finally {
        await handle.close();
      }
      expect(seen).toEqual(linesOf(bytes));
    }
  });
});

function linesOf(bytes: Buffer): { offset: number; size: number }[] {
  const lines: { offset: number; size: number }[] = [];
  let start = 0;
  while (start < bytes.length) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline === -1 ? bytes.length : newline;
    lines.push({ offset: start, size: end - start });
    start = end + 1;
  }
  return lines;
}
