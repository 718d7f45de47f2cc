import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  readTranscriptPage,
  searchTranscripts,
  type TextHit,
  type TextSearchOptions,
} from '../../src/index.ts';
import {
  assistantLine,
  line,
  snapshotLine,
  temporaryFolder,
  userLine,
  writeTranscript,
} from './sample-lines.ts';

async function search(
  files: readonly string[],
  query: string,
  options?: TextSearchOptions,
): Promise<TextHit[]> {
  const hits: TextHit[] = [];
  for await (const hit of searchTranscripts(files, query, options)) hits.push(hit);
  return hits;
}

describe('the full text search', () => {
  it('finds text of people and the assistant in any case, with its position', async () => {
    const file = await writeTranscript(await temporaryFolder(), [
      userLine('Where do I buy SOURDOUGH starter?', { uuid: 'u1' }),
      assistantLine('At the bakery.'),
      assistantLine('Or make sourdough\nyourself: “Mehl” & Wasser.', { uuid: 'a1' }),
    ]);
    const hits = await search([file], 'Sourdough');
    expect(hits).toMatchObject([
      { file, uuid: 'u1', role: 'user', excerpt: 'Where do I buy SOURDOUGH starter?' },
      { file, uuid: 'a1', role: 'assistant', excerpt: 'Or make sourdough yourself: “Mehl” & Wasser.' },
    ]);
    const page = await readTranscriptPage(file, { after: hits[1]?.offset ?? -1, limit: 1 });
    expect(page.messages[0]?.frame.uuid).toBe('a1');
  });

  it.each(['größe', 'GRÖSSE 5', 'say "hi"', 'back\\slash', 'a.b*c(d', '🙂 smile', '日本'])(
    'finds %s',
    async (query) => {
      const text = 'Größe, größe, grösse 5, say "hi", back\\slash, a.b*c(d, 🙂 smile, 日本語';
      const file = await writeTranscript(await temporaryFolder(), [userLine(text)]);
      expect(await search([file], query)).toHaveLength(1);
    },
  );

  it('skips snapshots, meta lines, damaged lines and keys', async () => {
    const file = await writeTranscript(await temporaryFolder(), [
      snapshotLine(1000).replace('say', 'needle'),
      line('attachment', { text: 'needle' }),
      userLine('needle', { isMeta: true }),
      '{"type":"user","message":{"role":"user","content":"needle',
      userLine('nothing', { needle: 'needle' }),
    ]);
    expect(await search([file], 'needle')).toEqual([]);
    expect(await search([file], '  ')).toEqual([]);
  });

  it('finds text wherever block borders fall, and after lines that are too long', async () => {
    const filler = Array.from({ length: 400 }, (_, i) => assistantLine(`${i} ${'é'.repeat(4000)}`));
    const lines = filler.flatMap((text, i) => (i % 40 === 0 ? [text, userLine(`needle ${i}`)] : [text]));
    lines.splice(100, 0, userLine('x'.repeat(18_000_000)));
    lines.push(userLine('needle at the end'));
    const file = await writeTranscript(await temporaryFolder(), lines);
    const hits = await search([file], 'NEEDLE', { maxHitsPerFile: 100 });
    expect(hits.map((hit) => hit.excerpt)).toEqual([
      ...Array.from({ length: 10 }, (_, i) => `needle ${i * 40}`),
      'needle at the end',
    ]);
  });

  it('finds text that JSON escapes, and stays fast with much of it', async () => {
    const slashes = '\\'.repeat(40);
    const quotes = '"'.repeat(40);
    const file = await writeTranscript(await temporaryFolder(), [
      userLine(`${slashes}${slashes}${quotes}${quotes}`),
      userLine(`C:\\Temp says "no"`, { uuid: 'u1' }),
    ]);

    expect(await search([file], 'c:\\temp SAYS "NO"')).toMatchObject([{ uuid: 'u1' }]);
    for (const query of [`${slashes}x`, `${quotes}x`, `${slashes}${slashes}x`]) {
      expect(await search([file], query)).toEqual([]);
    }
    expect(await search([file], slashes + quotes)).toHaveLength(1);
  });

  it('respects its limits and can be stopped', async () => {
    const root = await temporaryFolder();
    const files: string[] = [];
    for (let i = 0; i < 5; i += 1)
      files.push(
        await writeTranscript(
          root,
          Array.from({ length: 9 }, () => userLine('needle')),
        ),
      );
    expect(await search(files, 'needle')).toHaveLength(15);
    expect(await search(files, 'needle', { maxHits: 4 })).toHaveLength(4);
    expect(await search(files, 'needle', { maxHitsPerFile: 1 })).toHaveLength(5);
    expect(await search(files, 'needle', { maxBytes: 1, maxHitsPerFile: 9 })).toHaveLength(9);
    await expect(search(files, 'needle', { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  });

  it('tolerates files that have disappeared', async () => {
    const root = await temporaryFolder();
    const file = await writeTranscript(root, [userLine('needle')]);
    expect(await search([join(root, `${randomUUID()}.jsonl`), file], 'needle')).toHaveLength(1);
  });
});
