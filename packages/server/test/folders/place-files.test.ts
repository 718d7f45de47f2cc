// Files of a working directory and of notes: parts, versions, searches, and every way out of the folder.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ParleyError } from '@parley/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FilePlace } from '../../src/domain/files.ts';
import { canHoldFolders } from '../../src/folders/folder.ts';
import { createPlaceFiles } from '../../src/folders/place-files.ts';
import { png } from '../support/images.ts';

const run = promisify(execFile);
const secret = 'the secret outside';
const { signal } = new AbortController();
let base: string;
let place: FilePlace;
let notes: FilePlace;
let files = createPlaceFiles();

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'parley-files-')));
  const root = join(base, 'project');
  place = { root, hidden: [join(root, 'theirs')], kind: 'work' };
  notes = { root, hidden: [], kind: 'notes' };
  await put('src/main.ts', 'export const answer = 42;\n');
  await put('README.md', '# Hello\n');
  await put('theirs/secret.txt', secret);
  await put('../outside/secret.txt', secret);
  files = createPlaceFiles();
});
afterEach(() => rm(base, { recursive: true, force: true }));

async function put(path: string, content: string | Uint8Array): Promise<void> {
  const full = join(base, 'project', path);
  await mkdir(dirname(full), { recursive: true });
  await writeFile(full, content);
}

async function refusal(doing: Promise<unknown>): Promise<ParleyError> {
  const thrown = await doing.then(
    () => new Error('not refused'),
    (error: unknown) => error,
  );
  if (thrown instanceof ParleyError) return thrown;
  throw thrown;
}

const names = async (path = '') =>
  (await files.list(place, path, { offset: 0, limit: 100 })).entries.map(({ name }) => name);
const textOf = async (path: string) => {
  const part = await files.read(place, path, 0);
  if (part.kind !== 'text') throw new Error(part.kind);
  return part;
};

describe('a folder', () => {
  it('lists folders first, in parts [app.files.list.pages]', async () => {
    await put('a.txt', '');
    await put('Z/x', '');
    expect(await names()).toEqual(['src', 'Z', 'a.txt', 'README.md']);
    expect(await files.list(place, '', { offset: 1, limit: 2 })).toEqual({
      path: '',
      entries: [
        { name: 'Z', kind: 'folder' },
        { name: 'a.txt', kind: 'file' },
      ],
      offset: 1,
      total: 4,
      truncated: false,
    });
  });

  it('shows a file that was just added [app.files.list.pages]', async () => {
    await names();
    await put('new.txt', '');
    expect(await names()).toContain('new.txt');
    await rm(join(place.root, 'new.txt'));
    expect(await names()).not.toContain('new.txt');
  });

  it('shows neither what is hidden nor what belongs to git [app.files.hidden]', async () => {
    await put('.git/config', secret);
    await put('.gitignore', 'dist\n');
    expect(await names()).toEqual(['src', '.gitignore', 'README.md']);
    for (const path of ['theirs', 'theirs/secret.txt'])
      expect((await refusal(files.read(place, path, 0))).code).toBe('not_found');
    expect((await refusal(files.list(place, 'theirs', { offset: 0, limit: 1 }))).code).toBe('not_found');
    expect((await refusal(files.read(place, '.git/config', 0))).code).toBe('forbidden');
    expect((await refusal(files.read(place, '.GIT/config', 0))).code).toBe('forbidden');
    for (const found of [
      await files.findNames(place, 'secret', { limit: 10, signal }),
      await files.findLines(place, 'secret', { isRegex: false, signal }),
    ])
      expect(found.matches).toEqual([]);
  });
});

describe('a file', () => {
  it('is read in parts that end between characters [app.files.read.part]', async () => {
    const whole = 'ü'.repeat(300);
    await put('long.txt', whole);
    files = createPlaceFiles({ limits: { readBytes: 101 } });
    let text = '';
    for (let at = 0; at < 600; ) {
      const part = await files.read(place, 'long.txt', at);
      if (part.kind !== 'text') throw new Error('text expected');
      text += part.text;
      expect(part.end).toBeGreaterThan(at);
      at = part.end;
    }
    expect(text).toBe(whole);
  });

  it('is what its bytes say [app.files.read.kind]', async () => {
    await put('image.txt', Buffer.from(png(2, 2).data, 'base64'));
    await put('archive.txt', Buffer.from([0x50, 0x4b, 3, 4, 0, 0]));
    await put('page.png', '<script>');
    expect(await files.read(place, 'image.txt', 0)).toMatchObject({ kind: 'image', mediaType: 'image/png' });
    expect(await files.read(place, 'archive.txt', 0)).toMatchObject({ kind: 'binary' });
    expect(await files.read(place, 'page.png', 0)).toMatchObject({ kind: 'text', text: '<script>' });
    await using opened = await files.open(place, 'page.png');
    expect(opened.imageType).toBeUndefined();
  });

  it('is saved over the version that was read, and keeps its permissions [app.files.save.atomic]', async () => {
    await chmod(join(place.root, 'README.md'), 0o640);
    const { version } = await textOf('README.md');
    const saved = await files.write(place, 'README.md', Buffer.from('# Bye\n'), { version });
    expect(saved.version).not.toBe(version);
    expect((await textOf('README.md')).text).toBe('# Bye\n');
    expect((await stat(join(place.root, 'README.md'))).mode & 0o777).toBe(0o640);
    expect((await readdir(place.root)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('is not saved if it has changed, even by a byte of the same length [app.files.save.conflict]', async () => {
    const { version } = await textOf('README.md');
    await writeFile(join(place.root, 'README.md'), '# Hallo\n'.slice(0, 7));
    const { code } = await refusal(files.write(place, 'README.md', Buffer.from('mine'), { version }));
    expect(code).toBe('conflict');
    await rm(join(place.root, 'README.md'));
    expect((await refusal(files.write(place, 'README.md', Buffer.from('mine'), { version }))).code).toBe(
      'conflict',
    );
    expect(existsSync(join(place.root, 'README.md'))).toBe(false);
  });

  it('is saved by one of two people who save at once [app.files.save.conflict]', async () => {
    const { version } = await textOf('README.md');
    const ends = await Promise.allSettled(
      ['one', 'two'].map((text) => files.write(place, 'README.md', Buffer.from(text), { version })),
    );
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect((await textOf('README.md')).text).toBe('one');
  });

  it('that must be new replaces nothing [app.files.save.conflict]', async () => {
    await files.write(place, 'docs/new.md', Buffer.from('new'), 'nothing');
    expect((await refusal(files.write(place, 'docs/new.md', Buffer.from('x'), 'nothing'))).code).toBe(
      'conflict',
    );
    expect((await textOf('docs/new.md')).text).toBe('new');
    await files.write(place, 'docs/new.md', Buffer.from('newer'), 'anything');
    expect((await textOf('docs/new.md')).text).toBe('newer');
  });

  it('that is too large changes nothing [app.files.upload]', async () => {
    files = createPlaceFiles({ limits: { writeBytes: 10 } });
    async function* chunks() {
      for (let at = 0; at < 3; at += 1) yield Buffer.from('12345');
    }
    expect((await refusal(files.write(place, 'README.md', chunks(), 'anything'))).code).toBe('too_large');
    expect((await textOf('README.md')).text).toBe('# Hello\n');
    expect((await readdir(place.root)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it.each(['.git/hooks/post-commit', '.claude/settings.json', '.mcp.json', 'src/.Claude/x', '.git'])(
    'is not written if programs obey it: %s [app.files.protected]',
    async (path) => {
      for (const one of [place, notes])
        expect((await refusal(files.write(one, path, Buffer.from('x'), 'anything'))).code).toBe('forbidden');
    },
  );

  it('of the notes is not written if an editor or agent obeys it [app.files.protected]', async () => {
    for (const path of ['.obsidian/app.json', 'CLAUDE.md', 'package.json'])
      expect((await refusal(files.write(notes, path, Buffer.from('x'), 'anything'))).code).toBe('forbidden');
    await files.write(place, 'CLAUDE.md', Buffer.from('x'), 'nothing');
  });
});

describe('a search', () => {
  it('finds files and folders by letters, the best first [app.files.search.names]', async () => {
    await put('src/main/index.ts', '');
    await put('docs/domain.md', '');
    const found = await files.findNames(place, 'main', { limit: 10, signal });
    expect(found.matches).toEqual([
      { path: 'src/main', folder: true },
      { path: 'src/main.ts', folder: false },
      { path: 'docs/domain.md', folder: false },
      { path: 'src/main/index.ts', folder: false },
    ]);
    expect((await files.findNames(place, 'dcsd', { limit: 10, signal })).matches).toEqual([
      { path: 'docs/domain.md', folder: false },
    ]);
    expect(await files.findNames(place, 'm', { limit: 1, signal })).toMatchObject({ isCut: true });
  });

  it('finds lines, and the query is never an option [app.files.search.content]', async () => {
    await put('odd.txt', 'first\n--files is an option\n');
    const lines = async (query: string, isRegex = false) =>
      (await files.findLines(place, query, { isRegex, signal })).matches;
    expect(await lines('--files')).toEqual([{ path: 'odd.txt', line: 2, text: '--files is an option' }]);
    expect(await lines('answer = \\d+', true)).toEqual([
      { path: 'src/main.ts', line: 1, text: 'export const answer = 42;' },
    ]);
    expect((await refusal(files.findLines(place, '(', { isRegex: true, signal }))).code).toBe('invalid');
  });

  it('leaves out what is ignored in a working directory, but not in notes [app.files.search.ignored]', async () => {
    await put('.gitignore', 'dist/\n');
    await put('dist/answer.js', 'answer');
    const paths = async (where: FilePlace) =>
      (await files.findNames(where, 'answer', { limit: 10, signal })).matches.map(({ path }) => path);
    expect(await paths(place)).toEqual([]);
    expect(await paths(notes)).toEqual(['dist/answer.js']);
  });
});

const hostile = [
  '-rf',
  '--help',
  'line\nbreak.txt',
  'quote"\'`$(touch x).txt',
  'tab\t.txt',
  'bidi\u202Etxt.exe',
  '%2e%2e',
  '~root',
  'a\\b',
  'C:',
  ' ',
  '[x]*?{y}',
  '😀.txt',
];

describe.each(canHoldFolders ? [true, false] : [false])('with folders held open: %s', (holdFolders) => {
  beforeEach(() => {
    files = createPlaceFiles({ holdFolders });
  });

  it.each(hostile)('lists, reads, saves and finds %j [app.files.hostile]', async (name) => {
    const path = `odd/${name}`;
    await files.write(place, path, Buffer.from('hostile content'), 'nothing');
    expect(await names('odd')).toEqual([name]);
    const { text, version } = await textOf(path);
    expect(text).toBe('hostile content');
    await files.write(place, path, Buffer.from('saved'), { version });
    expect((await textOf(path)).text).toBe('saved');
    expect((await files.findNames(place, name, { limit: 10, signal })).matches[0]?.path).toBe(path);
    const lines = await files.findLines(place, 'saved', { isRegex: false, signal });
    expect(lines.matches.map((match) => match.path)).toEqual([path]);
  });

  it.each([
    '..',
    '../outside/secret.txt',
    'src/../../outside/secret.txt',
    'src/..',
    './README.md',
    '/etc/passwd',
    'src//main.ts',
    'README.md\0.png',
    'x'.repeat(256),
    'x'.repeat(4_097),
    'x/'.repeat(2_048),
    'leaf.txt',
    'parent/secret.txt',
    'dangling',
    'pipe',
  ])('refuses %j [app.files.inside] [app.files.hostile]', async (path) => {
    await symlink('../outside/secret.txt', join(place.root, 'leaf.txt'));
    await symlink('../outside', join(place.root, 'parent'));
    await symlink('../nowhere', join(place.root, 'dangling'));
    await run('mkfifo', [join(place.root, 'pipe')]);
    for (const doing of [
      () => files.read(place, path, 0),
      () => files.open(place, path),
      () => files.write(place, path, Buffer.from('evil'), 'anything'),
      () => files.list(place, path, { offset: 0, limit: 10 }),
    ]) {
      const { message } = await refusal(doing());
      expect(message).not.toContain(secret);
      expect(message).not.toContain(base);
    }
    expect(await readFile(join(base, 'outside/secret.txt'), 'utf8')).toBe(secret);
    expect(existsSync(join(base, 'nowhere'))).toBe(false);
  });

  it('refuses a folder that a link has replaced, even the root itself [app.files.inside]', async () => {
    await mkdir(join(base, 'elsewhere'));
    await writeFile(join(base, 'elsewhere/README.md'), secret);
    await rename(place.root, join(base, 'moved'));
    await symlink(join(base, 'elsewhere'), place.root);
    expect((await refusal(files.read(place, 'README.md', 0))).code).toBe('forbidden');
  });
});

describe('a folder that changes at that very moment', () => {
  it.runIf(canHoldFolders)(
    'never reads outside while a folder is swapped for a link and back [app.files.inside]',
    async () => {
      await put('swap/secret.txt', 'inside');
      const [swap, aside] = [join(place.root, 'swap'), join(place.root, 'aside')];
      let isDone = false;
      const swapping = (async () => {
        for (let round = 0; round < 150; round += 1) {
          await rename(swap, aside);
          // A write may make the folder again at any time: before the link, or while the folder is removed.
          await symlink('../outside', swap).catch(() => undefined);
          const putBack = async () => {
            await rm(swap, { recursive: true, force: true });
            await rename(aside, swap);
          };
          while (
            !(await putBack().then(
              () => true,
              () => false,
            ))
          );
        }
      })().finally(() => {
        isDone = true;
      });
      const seen = new Set<string>();
      while (!isDone) {
        const part = await files.read(place, 'swap/secret.txt', 0).catch(() => undefined);
        if (part?.kind === 'text') seen.add(part.text);
        await files.write(place, 'swap/new.txt', Buffer.from('evil'), 'anything').catch(() => undefined);
      }
      await swapping;
      expect([...seen].filter((text) => text !== 'inside')).toEqual([]);
      expect(await readdir(join(base, 'outside'))).toEqual(['secret.txt']);
    },
  );
});
