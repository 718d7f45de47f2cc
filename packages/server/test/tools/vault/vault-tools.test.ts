import { chmod, mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VaultHarness } from './harness.ts';

describe('read_file', () => {
  it('returns the content of a file [notes.tools.read-file]', async () => {
    await using vault = await VaultHarness.start();
    await vault.put('recipes/soup.md', '# Soup\n\nWater, salt, ünïcödé 🥣');

    expect(await vault.call('read_file', { path: 'recipes/soup.md' })).toBe(
      '# Soup\n\nWater, salt, ünïcödé 🥣',
    );
    expect(await vault.call('read_file', { path: './recipes//soup.md' })).toContain('# Soup');
  });

  it('reads in the folder of the person who asks [notes.vault.person-folder]', async () => {
    await using vault = await VaultHarness.start();
    await vault.put('diary.md', 'of Anna');
    await vault.putOutside('vault/berta/diary.md', 'of Berta');

    expect(await vault.call('read_file', { path: 'diary.md' })).toBe('of Anna');
    expect(await vault.call('read_file', { path: 'diary.md' }, { person: 'berta' })).toBe('of Berta');
  });

  it('cuts a long file between characters and returns the offset of the rest [notes.tools.result-cut]', async () => {
    await using vault = await VaultHarness.start({ limits: { readBytes: 10 } });
    const text = 'äöü🥣abc€€€ end';
    await vault.put('long.md', text);
    let all = '';
    let offset: number | undefined = 0;
    for (let parts = 0; offset !== undefined && parts < 10; parts += 1) {
      const part: string = await vault.call('read_file', { path: 'long.md', offset });
      const [, shown = part, next] =
        /^(.*)\n\n\[The file was cut here: .* Continue with offset (\d+)\.\]$/s.exec(part) ?? [];
      all += shown;
      offset = next === undefined ? undefined : Number(next);
    }

    expect(all).toBe(text);
    expect(await vault.call('read_file', { path: 'long.md', offset: 1 })).toMatch(/^öü/);
    expect(await vault.refusal('read_file', { path: 'long.md', offset: 999 })).toContain('only');
  });

  it.each([
    ['picture.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]), 'a PNG image'],
    ['paper.pdf', Buffer.from('%PDF-1.7 \0 binary'), 'a PDF document'],
    ['latin.txt', Buffer.from([0x67, 0xfc, 0x6e]), 'not UTF-8 text'],
    ['data.bin', Buffer.from([1, 0, 2]), 'not UTF-8 text'],
  ])('names %s and refuses it', async (name, bytes, kind) => {
    await using vault = await VaultHarness.start();
    await vault.put(name, bytes);

    const sentence = await vault.refusal('read_file', { path: name });

    expect(sentence).toContain(`"${name}" is`);
    expect(sentence).toContain(kind);
  });

  it('says in a sentence what is missing or is a folder', async () => {
    await using vault = await VaultHarness.start();
    await mkdir(join(vault.root, 'recipes'));
    await vault.put('note.md', 'x');

    expect(await vault.refusal('read_file', { path: 'nothing.md' })).toBe('"nothing.md" does not exist.');
    expect(await vault.refusal('read_file', { path: 'recipes' })).toBe('"recipes" is a folder, not a file.');
    expect(await vault.refusal('read_file', { path: 'recipes/' })).toContain('names a folder');
    expect(await vault.refusal('read_file', { path: '' })).toContain('Name a file');
    expect(await vault.refusal('read_file', { path: 'note.md/deeper.md' })).toBe(
      '"note.md" is not a folder.',
    );
  });
});

describe('write_file', () => {
  it('creates a file with its folders, and replaces it [notes.tools.write-file]', async () => {
    await using vault = await VaultHarness.start();

    expect(await vault.call('write_file', { path: 'a/b/c.md', content: 'first' })).toBe(
      'Created "a/b/c.md" (5 bytes).',
    );
    expect(await vault.call('write_file', { path: 'a/b/c.md', content: 'sécond' })).toBe(
      'Replaced "a/b/c.md" (7 bytes).',
    );

    expect(await readFile(join(vault.root, 'a/b/c.md'), 'utf8')).toBe('sécond');
    expect(await readdir(join(vault.root, 'a/b'))).toEqual(['c.md']);
  });

  it("creates the person's folder on first use [notes.vault.person-folder]", async () => {
    await using vault = await VaultHarness.start();

    await vault.call('write_file', { path: 'first.md', content: 'hello' }, { person: 'carla' });

    expect(await readFile(join(vault.base, 'vault/carla/first.md'), 'utf8')).toBe('hello');
  });

  it('keeps the permissions of a file that it replaces', async () => {
    await using vault = await VaultHarness.start();
    await vault.call('write_file', { path: 'private.md', content: 'x' });
    await chmod(join(vault.root, 'private.md'), 0o600);

    await vault.call('write_file', { path: 'private.md', content: 'y' });

    expect((await stat(join(vault.root, 'private.md'))).mode & 0o777).toBe(0o600);
  });

  it('refuses too much content, and changes nothing', async () => {
    await using vault = await VaultHarness.start({ limits: { writeBytes: 8 } });
    await vault.put('note.md', 'old');

    expect(await vault.refusal('write_file', { path: 'note.md', content: 'much too long' })).toContain(
      '13 bytes',
    );
    expect(await readFile(join(vault.root, 'note.md'), 'utf8')).toBe('old');
  });

  it('writes many files at once, each completely', async () => {
    await using vault = await VaultHarness.start();
    const contents = Array.from({ length: 20 }, (_, at) => String(at).repeat(10_000));

    await Promise.all(contents.map((content) => vault.call('write_file', { path: 'same.md', content })));

    expect(contents).toContain(await readFile(join(vault.root, 'same.md'), 'utf8'));
    expect(await readdir(vault.root)).toEqual(['same.md']);
  });
});

describe('list_directory', () => {
  it('lists folders first, then files with their sizes [notes.tools.list-directory]', async () => {
    await using vault = await VaultHarness.start();
    await vault.put('note10.md', 'x'.repeat(2_048));
    await vault.put('note2.md', 'x');
    await vault.put('zoo/animal.md', 'x');
    await symlink(join(vault.base, 'outside'), join(vault.root, 'away'));

    expect(await vault.call('list_directory', {})).toBe(
      ['zoo/', 'away (a link, not followed)', 'note2.md (1 B)', 'note10.md (2.0 KB)'].join('\n'),
    );
    expect(await vault.call('list_directory', { path: 'zoo' })).toBe('animal.md (1 B)');
  });

  it('says when a folder is empty, missing, or a file', async () => {
    await using vault = await VaultHarness.start();
    await vault.put('note.md', 'x');
    await mkdir(join(vault.root, 'empty'));

    expect(await vault.call('list_directory', { path: 'empty' })).toBe('The folder is empty.');
    expect(await vault.refusal('list_directory', { path: 'nowhere' })).toBe('"nowhere" does not exist.');
    expect(await vault.refusal('list_directory', { path: 'note.md' })).toBe('"note.md" is not a folder.');
  });

  it('cuts a long list and says how much is left [notes.tools.result-cut]', async () => {
    await using vault = await VaultHarness.start({ limits: { listEntries: 3 } });
    for (let at = 0; at < 5; at += 1) await vault.put(`note${at}.md`, '');

    const lines = (await vault.call('list_directory', {})).split('\n');

    expect(lines).toHaveLength(4);
    expect(lines.at(-1)).toBe('[The list was cut: this folder has 2 more entries.]');
  });
});

describe('search_files', () => {
  it('finds lines with file and line number [notes.tools.search-files]', async () => {
    await using vault = await VaultHarness.start();
    await vault.put('recipes/soup.md', '# Soup\n\nAdd Salt: a pinch\n');
    await vault.put('shopping.md', 'salt\nbread\n');

    expect(await vault.call('search_files', { query: 'salt' })).toBe(
      ['recipes/soup.md:3: Add Salt: a pinch', 'shopping.md:1: salt'].join('\n'),
    );
    expect(await vault.call('search_files', { query: 'Salt' })).toBe('recipes/soup.md:3: Add Salt: a pinch');
    expect(await vault.call('search_files', { query: 'salt', path: 'recipes' })).toBe(
      'recipes/soup.md:3: Add Salt: a pinch',
    );
    expect(await vault.call('search_files', { query: 'pepper' })).toBe('No line matches.');
  });

  it('reads a query as plain text unless it is marked as a regular expression', async () => {
    await using vault = await VaultHarness.start();
    await vault.put('note.md', 'a.c\nabc\n');

    expect(await vault.call('search_files', { query: 'a.c' })).toBe('note.md:1: a.c');
    expect(await vault.call('search_files', { query: '^a.c$', regex: true })).toBe(
      'note.md:1: a.c\nnote.md:2: abc',
    );
    expect(await vault.refusal('search_files', { query: '(', regex: true })).toContain(
      'not a valid regular expression',
    );
    expect(await vault.refusal('search_files', { query: 'a\nb' })).toBe('The query must be a single line.');
  });

  it.each(['--files', '-V', '--pre=/bin/sh', '-', '--', '$(id)', '`id`', "'", '; id'])(
    'reads the query %s only as a pattern',
    async (query) => {
      await using vault = await VaultHarness.start();
      await vault.put('note.md', `before ${query} after\n`);

      expect(await vault.call('search_files', { query })).toBe(`note.md:1: before ${query} after`);
    },
  );

  it('ignores ignore files and the configuration of ripgrep', async () => {
    await using vault = await VaultHarness.start();
    await vault.put('.gitignore', '*.md\n');
    await vault.put('.ripgreprc', '--files-without-match\n');
    await vault.put('note.md', 'needle\n');

    expect(await vault.call('search_files', { query: 'needle' })).toBe('note.md:1: needle');
  });

  it('cuts a long list of matches and says so [notes.tools.result-cut]', async () => {
    await using vault = await VaultHarness.start({ limits: { searchMatches: 2 } });
    await vault.put('note.md', 'needle\n'.repeat(5));

    const lines = (await vault.call('search_files', { query: 'needle' })).split('\n');

    expect(lines.slice(0, 2)).toEqual(['note.md:1: needle', 'note.md:2: needle']);
    expect(lines[2]).toContain('The list was cut');
  });

  it('shortens very long lines', async () => {
    await using vault = await VaultHarness.start();
    await vault.put('note.md', `needle ${'x'.repeat(100_000)}\n`);

    expect((await vault.call('search_files', { query: 'needle' })).length).toBeLessThan(1_000);
  });

  it('stops when the turn is interrupted', async () => {
    await using vault = await VaultHarness.start();
    await vault.put('note.md', 'needle\n');
    const interrupt = new AbortController();
    interrupt.abort(new Error('interrupted'));

    await expect(
      vault.call('search_files', { query: 'needle' }, { signal: interrupt.signal }),
    ).rejects.toThrow('interrupted');
  });

  it('says so when it stopped because of the time limit', async () => {
    await using vault = await VaultHarness.start({ limits: { searchMs: 0 } });
    await vault.put('note.md', 'x'.repeat(5_000_000));

    expect(await vault.call('search_files', { query: 'needle' })).toContain('took too long');
  });
});
