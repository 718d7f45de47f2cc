import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { archiveSession, deleteSession, renameSession, SessionIndex } from '../../src/index.ts';
import { assistantLine, temporaryFolder, userLine, writeTranscript } from './sample-lines.ts';

function indexOver(root: string): SessionIndex {
  const index = new SessionIndex({ root });
  onTestFinished(() => index.close());
  return index;
}

describe('renaming a session', () => {
  it('appends the line and writes the file that the program itself writes', async () => {
    const id = randomUUID();
    const root = await temporaryFolder();
    const file = await writeTranscript(root, [userLine('hello')], { id });
    const before = await readFile(file, 'utf8');
    expect(await renameSession(file, '  My “own”\ttitle \n 🙂 ')).toBe('My “own” title 🙂');
    const line = `{"type":"custom-title","customTitle":"My “own” title 🙂","sessionId":"${id}"}\n`;
    expect(await readFile(file, 'utf8')).toBe(before + line);
    const sideFile = join(root, '-home-ada-bakery', id, 'custom-title.json');
    expect(await readFile(sideFile, 'utf8')).toBe('{"customTitle":"My “own” title 🙂"}');
    expect((await stat(sideFile)).mode & 0o777).toBe(0o600);
  });

  it('ends an incomplete last line first, so that the title has its own line', async () => {
    const root = await temporaryFolder();
    const file = await writeTranscript(root, [userLine('hello')]);
    await appendFile(file, '{"type":"user","mess');
    await renameSession(file, 'Mended');
    const lines = (await readFile(file, 'utf8')).split('\n');
    expect(lines[1]).toBe('{"type":"user","mess');
    expect(JSON.parse(lines[2] ?? '')).toMatchObject({ type: 'custom-title', customTitle: 'Mended' });
  });

  it('loses nothing while others append to the same file', async () => {
    const root = await temporaryFolder();
    const file = await writeTranscript(root, [userLine('hello')]);
    const appends = Array.from(
      { length: 300 },
      (_, i) => () => appendFile(file, `${assistantLine(`answer ${i}`)}\n`),
    );
    const renames = Array.from({ length: 30 }, (_, i) => () => renameSession(file, `title ${i}`));
    await Promise.all([...appends, ...renames].sort(() => Math.random() - 0.5).map((write) => write()));
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    const types = lines
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types.filter((type) => type === 'assistant')).toHaveLength(300);
    expect(types.filter((type) => type === 'custom-title')).toHaveLength(30);
  });

  it('rejects a title without a visible character, and files that are not transcripts', async () => {
    const root = await temporaryFolder();
    const file = await writeTranscript(root, [userLine('hello')]);
    await expect(renameSession(file, ' \0\n\u0085 ')).rejects.toThrow('visible character');
    const other = join(root, 'notes.jsonl');
    await writeFile(other, 'x');
    await expect(renameSession(other, 'x')).rejects.toThrow('UUID');
    await expect(deleteSession(other)).rejects.toThrow('UUID');
    expect(await readFile(other, 'utf8')).toBe('x');
    await expect(renameSession(join(root, `${randomUUID()}.jsonl`), 'x')).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });

  it('cuts a very long title between characters', async () => {
    const file = await writeTranscript(await temporaryFolder(), [userLine('hello')]);
    expect(await renameSession(file, '🙂'.repeat(500))).toBe('🙂'.repeat(200));
  });

  it('shows in the index at once', async () => {
    const root = await temporaryFolder();
    const id = randomUUID();
    await writeTranscript(root, [userLine('hello')], { id });
    const index = indexOver(root);
    expect(await index.rename(id, 'Greeting')).toMatchObject({ title: 'Greeting', titleSource: 'custom' });
    expect((await index.list()).sessions[0]?.title).toBe('Greeting');
    expect(await index.rename(randomUUID(), 'Nobody')).toBeUndefined();
  });

  it('keeps the title when the line is far from both ends', async () => {
    const root = await temporaryFolder();
    const id = randomUUID();
    const filler = Array.from({ length: 200 }, () => assistantLine('y'.repeat(1500)));
    const file = await writeTranscript(root, [userLine('hello'), ...filler], { id });
    await renameSession(file, 'Far away');
    await appendFile(file, `${filler.join('\n')}\n`);
    expect((await indexOver(root).list()).sessions[0]?.title).toBe('Far away');
  });
});

describe('the files next to a transcript', () => {
  it('cannot make a title long, and are ignored if they are much larger than what they may say', async () => {
    const root = await temporaryFolder();
    const long = await writeTranscript(root, [userLine('hello')], { minutesAgo: 1 });
    const huge = await writeTranscript(root, [userLine('hello')], { minutesAgo: 2 });
    await renameSession(huge, 'Kept in the lines');
    for (const [file, length] of [
      [long, 5_000],
      [huge, 500_000],
    ] as const) {
      const folder = file.replace(/\.jsonl$/, '');
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'custom-title.json'), JSON.stringify({ customTitle: 'a'.repeat(length) }));
    }
    const { sessions } = await indexOver(root).list();
    const titles = sessions.map((entry) => entry.title);
    expect(titles.toSorted()).toEqual(['Kept in the lines', `${'a'.repeat(199)}…`]);
  });
});

describe('archiving a session', () => {
  it('marks it until the next prompt', async () => {
    const root = await temporaryFolder();
    const id = randomUUID();
    const file = await writeTranscript(root, [userLine('hello', { timestamp: '2026-01-01T00:00:00.000Z' })], {
      id,
    });
    await archiveSession(file, true, new Date('2026-02-01T00:00:00.000Z'));
    const index = indexOver(root);
    expect((await index.list()).sessions[0]?.archived).toBe(true);
    expect((await index.list({ archived: false })).sessions).toEqual([]);
    await appendFile(file, `${userLine('again', { timestamp: '2026-03-01T00:00:00.000Z' })}\n`);
    await index.refresh();
    expect((await index.list({ archived: false })).sessions[0]?.archived).toBe(false);
    expect(await index.archive(id, true)).toMatchObject({ archived: true });
    expect(await index.archive(id, false)).toMatchObject({ archived: false });
  });

  it('finds a later prompt that is far from the end, or has a line as long as an image', async () => {
    const root = await temporaryFolder();
    const before = { timestamp: '2026-01-01T00:00:00.000Z' };
    const after = { timestamp: '2026-03-01T00:00:00.000Z' };
    const long = { type: 'image', source: { type: 'base64', data: 'x'.repeat(600_000) } };
    const later: [string, readonly string[]][] = [
      ['far', [userLine('again', after), ...Array(50).fill(assistantLine('y'.repeat(1_500), after))]],
      ['image', [userLine([long, { type: 'text', text: 'again' }], after), assistantLine('nice', after)]],
      ['none', [assistantLine('still at work'.repeat(5_000), after)]],
    ];
    const index = indexOver(root);
    for (const [name, lines] of later) {
      const file = await writeTranscript(root, [userLine(name, before), assistantLine('done', before)]);
      await archiveSession(file, true, new Date('2026-02-01T00:00:00.000Z'));
      await index.refresh();
      await appendFile(file, `${lines.join('\n')}\n`);
    }
    await index.refresh();
    const archived = async (over: SessionIndex) =>
      (await over.list({ archived: true })).sessions.map((entry) => entry.title);
    expect(await archived(index)).toEqual(['none']);
    expect(await archived(indexOver(root))).toEqual(['none']);
  });

  it('finds a later prompt whose long line was still being written when the file was first read', async () => {
    const root = await temporaryFolder();
    const before = { timestamp: '2026-01-01T00:00:00.000Z' };
    const file = await writeTranscript(root, [userLine('hello', before)]);
    await archiveSession(file, true, new Date('2026-02-01T00:00:00.000Z'));
    const later = userLine(`again ${'x'.repeat(100_000)}`, { timestamp: '2026-03-01T00:00:00.000Z' });
    await appendFile(file, later.slice(0, 80_000));
    const index = indexOver(root);
    expect((await index.list()).sessions[0]?.archived).toBe(true);
    await appendFile(file, `${later.slice(80_000)}\n`);
    await index.refresh();
    expect((await index.list()).sessions[0]?.archived).toBe(false);
  });
});

describe('deleting a session', () => {
  it('removes the transcript and its folder, and nothing else', async () => {
    const root = await temporaryFolder();
    const id = randomUUID();
    const file = await writeTranscript(root, [userLine('doomed')], { id });
    await renameSession(file, 'Doomed');
    await writeTranscript(root, [userLine('kept')]);
    const index = indexOver(root);
    expect(await index.delete(id)).toBe(true);
    expect(await index.delete(id)).toBe(false);
    expect((await index.list()).sessions.map((entry) => entry.title)).toEqual(['kept']);
    expect(await readdir(join(root, '-home-ada-bakery'))).toHaveLength(1);
  });
});
