import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFile, isDraft, replaceFile } from '../../src/basics/atomic-file.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-atomic-'));
  file = join(folder, 'note.txt');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('replacing a file', () => {
  it('creates it for its owner only, or replaces what was there', async () => {
    await replaceFile(file, 'first');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await replaceFile(file, Buffer.from('second'), { mode: 0o640 });
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readFileSync(file, 'utf8')).toBe('second');
    expect(readdirSync(folder)).toEqual(['note.txt']);
  });

  it('keeps the old content in place until the new content is complete', async () => {
    writeFileSync(file, 'old');
    const seen: string[] = [];
    await replaceFile(
      file,
      async (handle) => {
        await handle.write('new');
        seen.push(readFileSync(file, 'utf8'));
        expect(readdirSync(folder).filter(isDraft)).toHaveLength(1);
      },
      { beforeRename: async () => void seen.push(readFileSync(file, 'utf8')) },
    );
    expect([...seen, readFileSync(file, 'utf8')]).toEqual(['old', 'old', 'new']);
  });

  it.each([
    ['the writing', () => Promise.reject(new Error('full')), {}],
    ['the last check', 'new', { beforeRename: () => Promise.reject(new Error('full')) }],
  ])('leaves the old file and nothing else when %s fails', async (_, content, options) => {
    writeFileSync(file, 'old');
    await expect(replaceFile(file, content, options)).rejects.toThrow('full');
    expect(readFileSync(file, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['note.txt']);
  });

  it('leaves nothing behind when the name belongs to a folder', async () => {
    mkdirSync(file);
    await expect(replaceFile(file, 'text')).rejects.toThrow('note.txt');
    expect(readdirSync(folder)).toEqual(['note.txt']);
  });
});

describe('creating a file', () => {
  it('lets exactly one of several callers win', async () => {
    const created = await Promise.all(['a', 'b', 'c'].map((text) => createFile(file, text)));
    expect(created.filter(Boolean)).toHaveLength(1);
    expect(readFileSync(file, 'utf8')).toBe(['a', 'b', 'c'][created.indexOf(true)]);
    expect(readdirSync(folder)).toEqual(['note.txt']);
  });

  it('leaves nothing behind when the content can neither be linked nor moved to its name', async () => {
    const loseDraft = async () => {
      for (const name of readdirSync(folder)) rmSync(join(folder, name));
    };
    await expect(createFile(file, 'text', { beforeRename: loseDraft })).rejects.toThrow('ENOENT');
    expect(readdirSync(folder)).toEqual([]);
  });
});
