// Requirements and tests match: each promise has a test or is marked pending, and only tests that passed prove one.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkRequirements } from '../requirements/check.ts';
import {
  type Citation,
  citationsIn,
  citedIds,
  collectCitations,
  testFiles,
} from '../requirements/citations.ts';
import { proofOf, type TestResult } from '../requirements/proof.ts';
import { promisesOf, type Requirement } from '../requirements/requirement.ts';
import { requirements } from '../requirements.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

describe('the requirements of Parley', () => {
  it('each have a test or are marked pending, and tests cite no other ids', () => {
    expect(checkRequirements(requirements, collectCitations(root))).toEqual([]);
  });

  it('are searched for in all test files, including this one', () => {
    expect(testFiles(root)).toContain('test/requirements.test.ts');
    expect(testFiles(root).some((file) => file.startsWith('packages/'))).toBe(true);
  });
});

describe('promisesOf', () => {
  it('lists proven and pending promises of one specification', () => {
    const promises = promisesOf(3, { 'a.b': 'It works.', 'a.c': { pending: 'It will work.' } });
    expect(promises).toEqual([
      { id: 'a.b', spec: 3, promise: 'It works.' },
      { id: 'a.c', spec: 3, promise: 'It will work.', pending: true },
    ]);
  });
});

describe('checkRequirements', () => {
  const proven = requirement('kitchen.sse.done-event');
  const pending = requirement('kitchen.sse.chunk', { pending: true });

  it('accepts a requirement with a test and a pending one', () => {
    expect(checkRequirements([proven, pending], [citation(proven.id)])).toEqual([]);
  });

  it('reports a requirement that is neither pending nor cited', () => {
    expect(checkRequirements([proven], [])).toEqual([
      'kitchen.sse.done-event is not pending, but no test cites it',
    ]);
  });

  it('reports a citation of a pending requirement', () => {
    expect(checkRequirements([pending], [citation(pending.id)])).toEqual([
      'test/a.test.ts cites kitchen.sse.chunk, which is still marked pending',
    ]);
  });

  it('reports a citation of a requirement that does not exist', () => {
    expect(checkRequirements([], [citation('kitchen.sse.typo')])).toEqual([
      'test/a.test.ts cites kitchen.sse.typo, which does not exist',
    ]);
  });

  it('reports an id that is listed twice', () => {
    expect(checkRequirements([pending, pending], [])).toEqual(['kitchen.sse.chunk is listed twice']);
  });

  it.each([
    ['kitchen.Sse.Done', 'kitchen.Sse.Done is not lowercase words separated by dots'],
    ['kitchen', 'kitchen is not lowercase words separated by dots'],
    ['kitchen.sse.done_event', 'kitchen.sse.done_event is not lowercase words separated by dots'],
    ['notes.sse.done', 'notes.sse.done does not start with kitchen.'],
  ])('reports the malformed id %s', (id, problem) => {
    expect(checkRequirements([requirement(id, { pending: true })], [])).toContain(problem);
  });

  it('reports a promise that is not a sentence', () => {
    const empty = requirement('kitchen.sse.chunk', { pending: true, promise: '' });
    expect(checkRequirements([empty], [])).toEqual(['kitchen.sse.chunk does not promise a whole sentence']);
  });
});

describe('citedIds', () => {
  it.each([
    ['sends done [kitchen.sse.done-event]', ['kitchen.sse.done-event']],
    ['sends both [a.b.c] [d.e.f]', ['a.b.c', 'd.e.f']],
    ['sends both [a.b.c, d.e.f]', ['a.b.c', 'd.e.f']],
    ['cites nothing', []],
    ['sorts the list [3, 1, 2]', []],
    ['[a.b.c] is at the front', []],
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
  it('searches the tests of the root and of every package, at any depth', () => {
    const folder = tempFolder();
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

describe('proofOf', () => {
  const done = requirement('kitchen.sse.done-event');
  const cited = [citation(done.id)];
  const ran = (state: TestResult['state'], ...titles: string[]): TestResult => ({
    file: 'test/a.test.ts',
    titles,
    state,
  });
  const own = `works [${done.id}]`;

  it.each<[TestResult[], string, string]>([
    [[ran('passed', 'a group', own)], 'proven', 'a passed test'],
    [[ran('passed', own, 'a test')], 'proven', 'a passed test in a group that cites it'],
    [[ran('passed', own), ran('skipped', own)], 'proven', 'a passed and a skipped test'],
    [[ran('failed', own)], 'failed', 'a failed test'],
    [[ran('passed', own), ran('failed', own)], 'failed', 'a passed and a failed test'],
    [[ran('skipped', own)], 'not run', 'a skipped test'],
    [[ran('passed', 'works [kitchen.sse.chunk]')], 'not run', 'a passed test of something else'],
    [[], 'not run', 'no recorded run'],
  ])('$1 after $2', (results, proof) => {
    expect(proofOf(done, cited, results)).toBe(proof);
  });

  it('needs a test, unless the requirement is pending', () => {
    expect(proofOf(done, [], [])).toBe('no test');
    expect(proofOf({ ...done, pending: true }, [], [])).toBe('pending');
  });
});

describe('a test run', () => {
  it('records what each test did, and ends with a plain count', () => {
    const folder = tempFolder();
    writeFileSync(
      join(folder, 'a.test.ts'),
      `describe('a group', () => {
        it('works [a.b.c]', () => expect(1).toBe(1));
        it('fails', () => expect(1).toBe(2));
        it.skip('waits', () => undefined);
      });`,
    );
    const vitest = join(root, 'node_modules/.bin/vitest');
    const reporter = join(root, 'scripts/plain-reporter.ts');
    const { stdout } = spawnSync(vitest, ['run', '--globals', '--root', folder, '--reporter', reporter], {
      encoding: 'utf8',
    });
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('1 passed, 1 failed, 1 skipped');
    expect(JSON.parse(readFileSync(join(folder, 'node_modules/.parley-test-run.json'), 'utf8'))).toEqual({
      endedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      tests: [
        { file: 'a.test.ts', titles: ['a group', 'works [a.b.c]'], state: 'passed' },
        { file: 'a.test.ts', titles: ['a group', 'fails'], state: 'failed' },
        { file: 'a.test.ts', titles: ['a group', 'waits'], state: 'skipped' },
      ],
    });
  });
});

function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-requirements-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function requirement(id: string, change: Partial<Requirement> = {}): Requirement {
  return { id, spec: 3, promise: 'It is done.', ...change };
}

function citation(id: string): Citation {
  return { id, file: 'test/a.test.ts', title: `works [${id}]` };
}
