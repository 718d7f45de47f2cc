// Holds requirements and tests together: what is promised is proven, or says that it is not yet.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkHeadings, checkRequirements } from '../requirements/check.ts';
import {
  type Citation,
  citationsIn,
  citedIds,
  collectCitations,
  testFiles,
} from '../requirements/citations.ts';
import { headings } from '../requirements/headings.ts';
import type { Requirement } from '../requirements/requirement.ts';
import { requirements } from '../requirements.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

describe('the requirements of Parley', () => {
  it('are each proven by a test or marked pending, and no test cites another', () => {
    expect(checkRequirements(requirements, collectCitations(root))).toEqual([]);
  });

  it('cover every heading of the specifications that promises a behaviour', () => {
    expect(checkHeadings(requirements, headings)).toEqual([]);
  });

  it('are looked for in the test files that exist, this one among them', () => {
    expect(testFiles(root)).toContain('test/requirements.test.ts');
    expect(testFiles(root).some((file) => file.startsWith('packages/'))).toBe(true);
  });
});

describe('checkRequirements', () => {
  const proven = requirement('kitchen.sse.done-event');
  const pending = requirement('kitchen.sse.chunk', { pending: true });

  it('finds nothing to say about a proven and a pending requirement', () => {
    expect(checkRequirements([proven, pending], [citation(proven.id)])).toEqual([]);
  });

  it('names a requirement that is neither pending nor cited', () => {
    expect(checkRequirements([proven], [])).toEqual([
      'kitchen.sse.done-event is not pending, but no test cites it',
    ]);
  });

  it('names a citation of a pending requirement', () => {
    expect(checkRequirements([pending], [citation(pending.id)])).toEqual([
      'test/a.test.ts cites kitchen.sse.chunk, which is still marked pending',
    ]);
  });

  it('names a citation of a requirement that does not exist', () => {
    expect(checkRequirements([], [citation('kitchen.sse.typo')])).toEqual([
      'test/a.test.ts cites kitchen.sse.typo, which does not exist',
    ]);
  });

  it('names an id that is listed twice', () => {
    expect(checkRequirements([pending, pending], [])).toEqual(['kitchen.sse.chunk is listed twice']);
  });

  it.each([
    ['kitchen.Sse.Done', 'kitchen.Sse.Done is not lower-case words with dots'],
    ['kitchen', 'kitchen is not lower-case words with dots'],
    ['kitchen.sse.done_event', 'kitchen.sse.done_event is not lower-case words with dots'],
    ['notes.sse.done', 'notes.sse.done does not begin with kitchen.'],
  ])('names the malformed id %s', (id, problem) => {
    expect(checkRequirements([requirement(id, { pending: true })], [])).toContain(problem);
  });

  it('names a promise that is no sentence', () => {
    const empty = requirement('kitchen.sse.chunk', { pending: true, promise: '' });
    expect(checkRequirements([empty], [])).toEqual(['kitchen.sse.chunk promises no whole sentence']);
  });
});

describe('checkHeadings', () => {
  const none = { 1: [], 2: [], 3: [], 4: [], 5: [] };

  it('names a heading that is not in the specification', () => {
    expect(checkHeadings([requirement('kitchen.sse.chunk')], none)).toEqual([
      'kitchen.sse.chunk names the unknown heading "3: Streaming"',
    ]);
  });

  it('names a heading that no requirement comes from', () => {
    expect(checkHeadings([], { ...none, 3: ['Streaming'] })).toEqual([
      'no requirement comes from "3: Streaming"',
    ]);
  });
});

describe('citedIds', () => {
  it.each([
    ['sends done [kitchen.sse.done-event]', ['kitchen.sse.done-event']],
    ['sends both [a.b.c] [d.e.f]', ['a.b.c', 'd.e.f']],
    ['sends both [a.b.c, d.e.f]', ['a.b.c', 'd.e.f']],
    ['cites nothing', []],
    ['sorts the list [3, 1, 2]', []],
    ['[a.b.c] stands at the front', []],
  ])('reads the end of "%s"', (title, ids) => {
    expect(citedIds(title)).toEqual(ids);
  });
});

describe('citationsIn', () => {
  it.each([
    ['a plain test', "it('works [a.b.c]', () => {});"],
    ['a group', "describe('parts [a.b.c]', () => {});"],
    ['a test inside a group', "describe('parts', () => { test('works [a.b.c]', () => {}); });"],
    ['a test with options', "it.concurrent('works [a.b.c]', { timeout: 1 }, () => {});"],
    ['a test over rows', "it.each([1, 2])('works with %s [a.b.c]', () => {});"],
    ['a test over a table', "it.each`x\n${1}`('works [a.b.c]', () => {});"],
    ['a title with a filled-in part', 'it(`works with ${name} [a.b.c]`, () => {});'],
    ['a title in two parts', "it('works and ' + 'works [a.b.c]', () => {});"],
  ])('finds the citation of %s', (_, source) => {
    expect(citationsIn('x.test.ts', source).map(({ id, file }) => ({ id, file }))).toEqual([
      { id: 'a.b.c', file: 'x.test.ts' },
    ]);
  });

  it.each([
    ['a skipped test', "it.skip('works [a.b.c]', () => {});"],
    ['a planned test', "test.todo('works [a.b.c]');"],
    ['a test inside a skipped group', "describe.skip('parts', () => { it('works [a.b.c]', () => {}); });"],
    ['a comment', "// it('works [a.b.c]', () => {});"],
    ['a string', 'const text = "it(\'works [a.b.c]\')";'],
  ])('finds nothing in %s', (_, source) => {
    expect(citationsIn('x.test.ts', source)).toEqual([]);
  });
});

describe('collectCitations', () => {
  it('looks into the tests of the root and of every package, at any depth', () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-citations-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const path of ['test', 'packages/one/test/deep', 'packages/two/src']) {
      mkdirSync(join(folder, path), { recursive: true });
    }
    writeFileSync(join(folder, 'test/a.test.ts'), "it('works [a.b.c]', () => {});");
    writeFileSync(join(folder, 'packages/one/test/deep/b.test.ts'), "it('works [d.e.f]', () => {});");
    writeFileSync(join(folder, 'packages/one/test/no-test.ts'), "it('works [x.y.z]', () => {});");

    expect(collectCitations(folder).map(({ id, file }) => [id, file])).toEqual([
      ['d.e.f', 'packages/one/test/deep/b.test.ts'],
      ['a.b.c', 'test/a.test.ts'],
    ]);
  });
});

function requirement(id: string, change: Partial<Requirement> = {}): Requirement {
  return { id, seed: 3, heading: 'Streaming', promise: 'It is done.', ...change };
}

function citation(id: string): Citation {
  return { id, file: 'test/a.test.ts', title: `works [${id}]` };
}
