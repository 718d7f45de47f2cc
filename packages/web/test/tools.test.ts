// Tool calls in words, changes as lines, results as people read them, and answers to questions.
import { describe, expect, it } from 'vitest';
import { chosenModel, nameOfModel, usualModels } from '../src/code/choices.ts';
import {
  answersOf,
  choose,
  chooseOther,
  isAnswered,
  nothingChosen,
  questionsOf,
} from '../src/conversation/permission/questions.ts';
import { describeTool } from '../src/conversation/tools/describe-tool.ts';
import { languageOf } from '../src/conversation/tools/language-of.ts';
import { makeHunks } from '../src/conversation/tools/make-hunks.ts';
import { changesOf, numbered, reportedHunks, sizeOfChange } from '../src/conversation/tools/patch.ts';
import { fileLines, foundLines, indentedJson, webMarkdown } from '../src/conversation/tools/read-output.ts';

describe('a tool call in one line', () => {
  it.each([
    ['Bash', { command: 'ls\npwd' }, 'Run', 'ls …'],
    ['Bash', { command: 'ls', description: 'List the files' }, 'List the files', ''],
    ['Read', { file_path: '/home/ada/src/a.ts', offset: 10, limit: 5 }, 'Read', 'src/a.ts:10–14'],
    ['Edit', { file_path: '/elsewhere/b.ts' }, 'Edit', '/elsewhere/b.ts'],
    ['Grep', { pattern: 'TODO', path: '/home/ada/src' }, 'Search for', 'TODO in src'],
    ['Grep', { pattern: 'TODO', glob: '*.ts' }, 'Search for', 'TODO in *.ts'],
    ['WebFetch', { url: 'https://example.org' }, 'Fetch', 'https://example.org'],
    ['mcp__recipes__list_recipes', { query: 'soup' }, 'recipes: list recipes', 'soup'],
    ['SomethingNew', {}, 'SomethingNew', ''],
  ])('says what %s does', (name, input, verb, target) => {
    expect(describeTool(name, input, '/home/ada')).toMatchObject({ verb, target });
  });
});

describe('a change', () => {
  it('has the line numbers of both sides that the program reports', () => {
    const [hunk] =
      reportedHunks({ structuredPatch: [{ oldStart: 3, newStart: 3, lines: [' a', '-b', '+c', '+d'] }] }) ??
      [];
    expect(hunk && numbered(hunk)).toEqual([
      { kind: 'same', text: 'a', oldNumber: 3, newNumber: 3 },
      { kind: 'removed', text: 'b', oldNumber: 4, newNumber: undefined },
      { kind: 'added', text: 'c', oldNumber: undefined, newNumber: 4 },
      { kind: 'added', text: 'd', oldNumber: undefined, newNumber: 5 },
    ]);
  });

  it('is computed here if the program reports no patch', () => {
    const hunks = makeHunks(changesOf({ old_string: 'one\ntwo\n', new_string: 'one\nthree\n' }));
    expect(hunks.flatMap(({ lines }) => lines)).toEqual([' one', '-two', '+three']);
  });

  it('says how many lines were added and removed', () => {
    const structuredPatch = [{ oldStart: 3, newStart: 3, lines: [' a', '-b', '+c', '+d'] }];
    expect(sizeOfChange({ old_string: 'b', new_string: 'c\nd' }, { structuredPatch })).toEqual({
      added: 2,
      removed: 1,
    });
    expect(sizeOfChange({ content: 'one\ntwo\n' }, undefined)).toEqual({ added: 2, removed: 0 });
    expect(sizeOfChange({ old_string: 'b', new_string: 'c' }, undefined)).toBeUndefined();
  });

  it('of a new file adds every line', () => {
    const hunks = makeHunks(changesOf({ content: 'one\ntwo\n' }));
    expect(hunks.flatMap(({ lines }) => lines)).toEqual(['+one', '+two']);
  });
});

describe('the result of a tool', () => {
  it('is a file with line numbers, without the parts meant for the model', () => {
    const output = '     9→  const a = 1;\n    10→\n\n<system-reminder>\nBe careful.\n</system-reminder>\n';
    expect(fileLines(output)).toEqual([
      { number: 9, text: '  const a = 1;' },
      { number: 10, text: '' },
    ]);
    expect(fileLines('1\tone\n2\ttwo')).toEqual([
      { number: 1, text: 'one' },
      { number: 2, text: 'two' },
    ]);
    expect(fileLines('The file is empty.')).toBeUndefined();
    expect(fileLines('')).toBeUndefined();
  });

  it('is parsed in one pass, however many unclosed reminders it contains', () => {
    expect(fileLines(`1\t${'<system-reminder>'.repeat(100_000)}`)).toHaveLength(1);
  });

  it('is grouped by file, with the lines around each match', () => {
    const output = 'a-1-b.ts:7:found: here\na-1-b.ts-8-after\n--\nsrc/c.ts-1-before\nsrc/c.ts:2:x';
    expect(foundLines(output)).toEqual([
      {
        path: 'a-1-b.ts',
        lines: [
          { number: 7, text: 'found: here' },
          { number: 8, text: 'after' },
        ],
      },
      {
        path: 'src/c.ts',
        lines: [
          { number: 1, text: 'before' },
          { number: 2, text: 'x' },
        ],
      },
    ]);
    expect(foundLines('src/a.ts\nsrc/b.ts')).toBeUndefined();
    expect(foundLines('No matches found')).toBeUndefined();
  });

  it('is grouped by file, even if the line around a match looks like one itself', () => {
    const output = 'a.ts-11-x = "foo:12:bar"\na.ts:12:found\na-1-b.ts:7:found\na-1-b.ts-8-y:9:z';
    expect(foundLines(output)).toEqual([
      {
        path: 'a.ts',
        lines: [
          { number: 11, text: 'x = "foo:12:bar"' },
          { number: 12, text: 'found' },
        ],
      },
      {
        path: 'a-1-b.ts',
        lines: [
          { number: 7, text: 'found' },
          { number: 8, text: 'y:9:z' },
        ],
      },
    ]);
  });

  it('is a list of links for a web search', () => {
    const output =
      'Web search results for query: "x"\n\nLinks: [{"title":"A [b]","url":"https://example.org/a(1)"}]\n\nSo it is.\n\nREMINDER: Name your sources.';
    expect(webMarkdown(output)).toBe('- [A  b ](<https://example.org/a(1)>)\n\nSo it is.\n');
    expect(webMarkdown('Links: [broken]')).toBe('Links: [broken]');
  });

  it('is indented if it is JSON, and unchanged otherwise', () => {
    expect(indentedJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(indentedJson('[not JSON')).toBe('[not JSON');
    expect(indentedJson('words')).toBe('words');
  });

  it.each([
    ['src/app.tsx', 'tsx'],
    ['/a/Dockerfile', 'docker'],
    ['include/a.h', 'c'],
    ['notes.txt', ''],
    ['LICENSE', ''],
    ['folder.d/file', ''],
  ])('of %s is known', (path, language) => {
    expect(languageOf(path)).toBe(language);
  });
});

describe('questions', () => {
  const [single, multi] = questionsOf({
    questions: [
      { question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] },
      { question: 'Which of these?', multiSelect: true, options: [{ label: 'C' }, { label: 'D' }] },
    ],
  });
  if (!single || !multi) throw new Error('There are two questions.');

  it('take one answer, or several where that is allowed', () => {
    const one = choose(choose(nothingChosen, 'A', false), 'B', false);
    const several = choose(choose(choose(nothingChosen, 'C', true), 'D', true), 'C', true);
    expect(answersOf([single, multi], [one, several])).toEqual({ 'Which?': 'B', 'Which of these?': 'D' });
  });

  it('take free text instead of an option, or in addition', () => {
    const own = { ...chooseOther(choose(nothingChosen, 'A', false), false), other: ' mine ' };
    const beside = { ...chooseOther(choose(nothingChosen, 'C', true), true), other: 'mine' };
    expect(answersOf([single, multi], [own, beside])).toEqual({
      'Which?': 'mine',
      'Which of these?': 'C, mine',
    });
  });

  it('are not answered by a blank text', () => {
    expect(isAnswered(nothingChosen)).toBe(false);
    expect(isAnswered({ ...chooseOther(nothingChosen, false), other: ' ' })).toBe(false);
  });
});

describe('a model', () => {
  it('has the name that people use', () => {
    expect(nameOfModel('claude-opus-4-5-20251101', usualModels())).toBe('Opus 4.5');
    expect(nameOfModel('sonnet', usualModels())).toBe('Sonnet');
    expect(nameOfModel('something/else', usualModels())).toBe('something/else');
  });

  it('is found in the list by its name', () => {
    const preferred = { value: 'default', displayName: 'Default (recommended)', description: '' };
    const models = [preferred, ...usualModels()];
    expect(chosenModel('sonnet', models)?.displayName).toBe('Sonnet');
    expect(chosenModel('default', models)).toBe(preferred);
    expect(chosenModel('claude-opus-5-5', models)?.value).toBe('opus');
    expect(chosenModel('something/else', models)).toBeUndefined();
    expect(chosenModel(undefined, models)).toBeUndefined();
    expect(nameOfModel('default', models)).toBe('Default (recommended)');
  });
});
