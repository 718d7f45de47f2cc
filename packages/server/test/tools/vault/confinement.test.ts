// Every way out of the vault that has been used against comparable systems, tried on every tool.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { link, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canHoldFolders, Folder } from '../../../src/folders/folder.ts';
import { parsePath } from '../../../src/folders/folder-path.ts';
import { secret, VaultHarness } from './harness.ts';

const run = promisify(execFile);
const strategies = canHoldFolders ? [true, false] : [false];

describe.each(strategies.map((hold) => ({ hold, how: hold ? 'held open' : 'known by path' })))(
  'a vault whose folders are $how',
  ({ hold }) => {
    const start = () => VaultHarness.start({ holdFolders: hold });

    it.each([
      ['..', '../berta/secret.md'],
      ['.. within', 'notes/../../berta/secret.md'],
      ['.. that stays inside', 'notes/../note.md'],
      ['.. at the end', 'notes/..'],
      ['an encoded ..', '%2e%2e/berta/secret.md'],
      ['an encoded .. in capitals', '%2E%2E%2Fberta%2Fsecret.md'],
      ['a doubly encoded ..', '%252e%252e/berta/secret.md'],
      ['a backslash', '..\\berta\\secret.md'],
      ['a NUL', 'note.md\0.png'],
      ['a NUL after ..', '../berta/secret.md\0'],
      ['an absolute path', '/etc/passwd'],
      ['an absolute path with two slashes', '//etc/passwd'],
      ['a home folder', '~/secret.md'],
      ['a drive letter', 'C:/Windows/win.ini'],
      ['a sibling with the same beginning', '../anna-evil/secret.md'],
      ['a line break', 'note.md\n../berta/secret.md'],
      ['a name of 4096 bytes', 'x'.repeat(4_096)],
      ['a path of 4096 bytes', 'x/'.repeat(2_048)],
      ['a name of 256 bytes', 'x'.repeat(256)],
      ['the path of the process', '/proc/self/environ'],
    ])('refuses %s in every tool [notes.vault.no-traversal]', async (_, path) => {
      await using vault = await start();
      await vault.put('note.md', 'note');
      await vault.put('notes/other.md', 'other');

      for (const [tool, input] of [
        ['read_file', { path }],
        ['write_file', { path, content: 'evil' }],
        ['list_directory', { path }],
        ['search_files', { path, query: 'secret' }],
      ] as const) {
        const sentence = await vault.refusal(tool, input);
        expect(sentence).not.toContain('not refused');
        expect(sentence).not.toContain(secret);
        expect(sentence).not.toContain(vault.base);
      }
      await expectOutsideUntouched(vault);
    });

    it.each([
      ['absolute', (base: string) => join(base, 'outside')],
      ['relative', () => '../../outside'],
    ])('refuses an %s link as a parent [notes.vault.no-symlink-escape]', async (_, target) => {
      await using vault = await start();
      await symlink(target(vault.base), join(vault.root, 'way-out'));

      const path = 'way-out/secret.md';
      expect(await vault.refusal('read_file', { path })).toBe('"way-out" is a link. Links are not followed.');
      expect(await vault.refusal('write_file', { path, content: 'evil' })).toBe(
        '"way-out" is a link. Links are not followed.',
      );
      expect(await vault.refusal('write_file', { path: 'way-out/new/file.md', content: 'evil' })).toContain(
        'is a link',
      );
      expect(await vault.refusal('list_directory', { path: 'way-out' })).toContain('is a link');
      expect(await vault.refusal('search_files', { path: 'way-out', query: 'secret' })).toContain(
        'is a link',
      );
      await expectOutsideUntouched(vault);
    });

    it('refuses a link as the file itself, even one that leads nowhere or in a circle [notes.vault.no-symlink-escape]', async () => {
      await using vault = await start();
      await symlink(join(vault.base, 'outside/secret.md'), join(vault.root, 'leaf.md'));
      await symlink(join(vault.base, 'outside/new.md'), join(vault.root, 'dangling.md'));
      await symlink('circle.md', join(vault.root, 'circle.md'));
      await symlink(join(vault.base, 'outside/nowhere'), join(vault.root, 'dangling-folder'));

      for (const path of ['leaf.md', 'dangling.md', 'circle.md']) {
        expect(await vault.refusal('read_file', { path })).toContain('is a link');
        expect(await vault.refusal('write_file', { path, content: 'evil' })).toContain('is a link');
      }
      expect(await vault.refusal('write_file', { path: 'dangling-folder/x.md', content: 'evil' })).toContain(
        'is a link',
      );
      await expectOutsideUntouched(vault);
    });

    it('does not follow links while it searches [notes.vault.no-symlink-escape]', async () => {
      await using vault = await start();
      await vault.put('note.md', 'the secret inside\n');
      await symlink(join(vault.base, 'outside'), join(vault.root, 'way-out'));
      await symlink(join(vault.base, 'outside/secret.md'), join(vault.root, 'leaf.md'));

      expect(await vault.call('search_files', { query: 'secret' })).toBe('note.md:1: the secret inside');
    });

    it('refuses pipes, sockets and devices without waiting for them [notes.vault.regular-files-only]', async () => {
      await using vault = await start();
      await run('mkfifo', [join(vault.root, 'pipe')]);
      await symlink('/dev/zero', join(vault.root, 'zero'));
      const socket = createServer().listen(join(vault.root, 'socket'));
      await new Promise((resolve) => socket.once('listening', resolve));

      try {
        for (const path of ['pipe', 'socket']) {
          expect(await vault.refusal('read_file', { path })).toBe(`"${path}" is not a regular file.`);
          expect(await vault.refusal('write_file', { path, content: 'x' })).toBe(
            `"${path}" is not a regular file.`,
          );
        }
        expect(await vault.refusal('read_file', { path: 'zero' })).toContain('is a link');
        expect(await vault.call('search_files', { query: 'x' })).toBe('No line matches.');
        expect(await vault.call('list_directory', {})).toContain('pipe (not a regular file)');
      } finally {
        socket.close();
      }
    });

    it.each([
      '.git/hooks/post-commit',
      '.git',
      '.GIT/config',
      'project/.Git/config',
      '.git./config',
      '.git /config',
      '.g\u200cit/config',
      '.git::$INDEX_ALLOCATION/config',
      'GIT~1/config',
      '.claude/settings.json',
      'deep/down/.Claude/settings.local.json',
      '.mcp.json',
      'project/.MCP.json',
      '.mcp.json.',
      'MCP~1.JSO',
      'CLAUDE.md',
      'project/claude.local.md',
      'AGENTS.md',
      'GEMINI.md',
      'QWEN.md',
      'AGENTS.override.md',
      'opencode.json',
      '.github/copilot-instructions.md',
      '.github/workflows/build.yml',
      '.gitignore',
      '.gitattributes',
      '.obsidian/plugins/evil/main.js',
      '.obsidian/app.json',
      'OBSIDI~1/app.json',
      '.vscode/tasks.json',
      '.cursor/mcp.json',
      '.cursorrules',
      '.windsurfrules',
      '.idea/workspace.xml',
      '.zed/tasks.json',
      '.devcontainer/devcontainer.json',
      '.envrc',
      '.env',
      '.npmrc',
      '.husky/pre-commit',
      '.pre-commit-config.yaml',
      '.dir-locals.el',
      '.exrc',
      '.nvim.lua',
      '.bashrc',
      'home.code-workspace',
      'logseq/custom.js',
      'Makefile',
      'package.json',
      'evil.desktop',
      '．envrc',
    ])('writes nothing to %s [notes.vault.protected-names]', async (path) => {
      await using vault = await start();
      await mkdir(join(vault.root, '.git'));

      expect(await vault.refusal('write_file', { path, content: 'evil' })).toContain('is protected');
      expect(await readdir(vault.root)).toEqual(['.git']);
      expect(await readdir(join(vault.root, '.git'))).toEqual([]);
    });

    it.each(['git/notes.md', 'claude-notes.md', 'v1.2/notes.md', 'my agents.md', 'draft~2.md', 'mcp.json'])(
      'writes %s, which only looks alike',
      async (path) => {
        await using vault = await start();

        expect(await vault.call('write_file', { path, content: 'x' })).toContain('Created');
      },
    );

    it('replaces a hard link instead of writing through it', async () => {
      await using vault = await start();
      await link(join(vault.base, 'outside/secret.md'), join(vault.root, 'hard.md'));

      await vault.call('write_file', { path: 'hard.md', content: 'mine' });

      await expectOutsideUntouched(vault);
    });

    it('works in a vault that is itself reached through a link', async () => {
      await using vault = await start();
      await vault.put('note.md', 'note');
      await symlink(vault.root, join(vault.base, 'vault/dora'));

      expect(await vault.call('read_file', { path: 'note.md' }, { person: 'dora' })).toBe('note');
    });

    it('keeps the old file when the disk is full, and leaves nothing behind', async () => {
      await using vault = await start();
      await vault.put('note.md', 'old');
      await using folder = await Folder.openVault(vault.root, hold);

      const writing = folder.writeFile('note.md', async (file) => {
        await file.write('half of the new');
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      });

      await expect(writing).rejects.toThrow('no space left');
      expect(await readFile(join(vault.root, 'note.md'), 'utf8')).toBe('old');
      expect(await readdir(vault.root)).toEqual(['note.md']);
    });

    it.each([
      ['elsewhere', 'outside'],
      ['to a sibling with the same beginning', 'vault/anna-evil'],
    ])('writes nothing when the folder was moved %s in between', async (_, elsewhere) => {
      await using vault = await start();
      await vault.put('sub/note.md', 'old');
      await using root = await Folder.openVault(vault.root, hold);
      await using folder = await root.descend(['sub'], { create: false });

      const writing = folder.writeFile('note.md', async (file) => {
        await file.write('new');
        await rename(join(vault.root, 'sub'), join(vault.base, elsewhere, 'sub'));
        await symlink(join(vault.base, elsewhere), join(vault.root, 'sub'));
      });

      await expect(writing).rejects.toThrow('leads outside the folder');
      expect(await readFile(join(vault.base, elsewhere, 'sub/note.md'), 'utf8')).toBe('old');
      expect(existsSync(join(vault.base, elsewhere, 'note.md'))).toBe(false);
    });
  },
);

describe.runIf(canHoldFolders)('a vault under attack while it works', () => {
  it('never reaches outside while a folder is swapped for a link again and again [notes.vault.no-symlink-escape]', async () => {
    await using vault = await VaultHarness.start();
    await vault.put('sub/secret.md', 'inside');
    const stop = new AbortController();
    const swapping = swapForLink(vault, stop.signal);
    let answered = 0;

    try {
      for (let round = 0; round < 150; round += 1) {
        const answers = await Promise.all([
          vault.refusal('read_file', { path: 'sub/secret.md' }),
          vault.refusal('write_file', { path: 'sub/new.md', content: 'new' }),
          vault.refusal('write_file', { path: 'sub/deep/new.md', content: 'new' }),
          vault.refusal('list_directory', { path: 'sub' }),
          ...(round % 10 === 0 ? [vault.refusal('search_files', { path: 'sub', query: 'the secret' })] : []),
        ]);
        for (const answer of answers) expect(answer).not.toContain(secret);
        answered += answers.filter((answer) => answer.startsWith('not refused')).length;
      }
    } finally {
      stop.abort();
      await swapping;
    }

    await expectOutsideUntouched(vault);
    expect(answered).toBeGreaterThan(0);
  });
});

describe('parsePath', () => {
  it('returns only plain names, whatever the input [notes.vault.no-traversal]', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '..',
        '.',
        '/',
        '//',
        '\\',
        '%2e',
        '%2f',
        '\0',
        '~',
        'a',
        'ä',
        ' ',
        ':',
        '...',
        '\u202e',
      ),
      fc.string({ maxLength: 5, unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        let names: readonly string[];
        try {
          ({ names } = parsePath(pieces.join('')));
        } catch {
          return;
        }
        for (const name of names) {
          expect(name).not.toMatch(/[/\\\0]/);
          expect(['', '.', '..']).not.toContain(name);
        }
      }),
    );
  });
});

async function expectOutsideUntouched(vault: VaultHarness): Promise<void> {
  for (const folder of ['outside', 'vault/berta', 'vault/anna-evil']) {
    expect(await readdir(join(vault.base, folder))).toEqual(['secret.md']);
    expect(await readFile(join(vault.base, folder, 'secret.md'), 'utf8')).toBe(secret);
  }
  expect((await readdir(join(vault.base, 'vault'))).toSorted()).toEqual(['anna', 'anna-evil', 'berta']);
}

/** Swaps a folder for a link to the outside and back, as fast as it can. */
async function swapForLink(vault: VaultHarness, signal: AbortSignal): Promise<void> {
  const path = join(vault.root, 'sub');
  const aside = join(vault.root, 'aside');
  // The tools create the folder again when it is missing, so each step may find its place taken.
  const attempt = (step: Promise<unknown>) => step.catch(() => undefined);
  while (!signal.aborted) {
    await attempt(rename(path, aside));
    await attempt(symlink(join(vault.base, 'outside'), path));
    await new Promise((resolve) => setImmediate(resolve));
    await rm(path, { recursive: true, force: true });
    await attempt(rename(aside, path));
    await new Promise((resolve) => setImmediate(resolve));
  }
}
