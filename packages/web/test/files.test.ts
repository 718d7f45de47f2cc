// The rules behind the file panel: which row is which, what is a path in a text, and what an `@` completes.
import { describe, expect, it } from 'vitest';
import { mentionAt, mentionOf } from '../src/conversation/use-completion.ts';
import { countRows, indexOf, type KnownFolder, rowAt } from '../src/files/tree-model.ts';
import { visibleName } from '../src/files/visible-name.ts';
import { placeIn } from '../src/ui/open-path.ts';

function folder(total: number, ...names: readonly string[]): KnownFolder {
  const entries = names.map((name, at) => {
    const kind = name.endsWith('/') ? ('folder' as const) : ('file' as const);
    return [at, { name: name.replace('/', ''), kind }] as const;
  });
  return { total, entries: new Map(entries), isCut: false };
}

describe('a tree', () => {
  const folders = new Map([
    ['', folder(100_000, 'a/', 'b/', 'c.txt')],
    ['a', folder(2, 'inner/', 'x.txt')],
    ['a/inner', folder(1, 'deep.txt')],
    ['b', folder(1, 'y.txt')],
  ]);
  const expanded = new Set(['a', 'a/inner', 'b']);

  it('finds every row by counting [app.files.page.tree]', () => {
    expect(countRows(folders, expanded)).toBe(100_004);
    const paths = [0, 1, 2, 3, 4, 5, 6].map((index) => rowAt(folders, expanded, index)?.path);
    expect(paths).toEqual(['a', 'a/inner', 'a/inner/deep.txt', 'a/x.txt', 'b', 'b/y.txt', 'c.txt']);
    expect(rowAt(folders, expanded, 2)).toMatchObject({ level: 3, parent: 'a/inner', at: 0 });
    paths.forEach((path, index) => expect(indexOf(folders, expanded, path ?? '')).toBe(index));
  });

  it('knows where a row belongs that is not loaded yet [app.files.page.tree]', () => {
    expect(rowAt(folders, expanded, 50_000)).toMatchObject({ entry: undefined, parent: '', at: 49_996 });
    expect(rowAt(folders, new Set(), 50_000)).toMatchObject({ at: 50_000, siblings: 100_000 });
  });
});

describe('a path in an answer', () => {
  it.each([
    ['src/app.ts', 'src/app.ts', undefined],
    ['src/app.ts:12', 'src/app.ts', 12],
    ['./src/app.ts:12:5', 'src/app.ts', 12],
    ['README.md', 'README.md', undefined],
    ['src/app.ts#L7-L9', 'src/app.ts', 7],
    ['/home/me/project/src/app.ts', '/home/me/project/src/app.ts', undefined],
    ['bin/tool', 'bin/tool', undefined],
  ])('%s opens a file [app.files.page.path]', (text, path, line) => {
    expect(placeIn(text)).toEqual({ path, line });
  });

  it.each([
    'npm test',
    'useState()',
    'a / b',
    'example.com',
    '../secret',
    'x',
    'https://example.com/a.ts',
    'a = b/c',
    '1.5',
  ])('%s does not [app.files.page.path]', (text) => expect(placeIn(text)).toBeUndefined());
});

describe('an @ in a message', () => {
  it('completes what is in front of the caret [app.files.page.mention]', () => {
    expect(mentionAt('Read @src/ap', 12)).toEqual({ start: 5, query: 'src/ap' });
    expect(mentionAt('@', 1)).toEqual({ start: 0, query: '' });
    expect(mentionAt('see @"my fi', 11)).toEqual({ start: 4, query: 'my fi' });
    expect(mentionAt('Read @src please', 16)).toBeUndefined();
    expect(mentionAt('me@example.org', 14)).toBeUndefined();
  });

  it('quotes a path with spaces, and leaves a folder open [app.files.page.mention]', () => {
    expect(mentionOf({ path: 'a.txt' })).toBe('@a.txt ');
    expect(mentionOf({ path: 'my file.txt' })).toBe('@"my file.txt" ');
    expect(mentionOf({ path: 'src', folder: true })).toBe('@src/');
  });
});

it('writes out what is invisible in a name [app.files.page.hostile]', () => {
  expect(visibleName('a\u202Eb\nc\td\u0000')).toBe('a\\u{202e}b⏎c⇥d\\u{0}');
});
