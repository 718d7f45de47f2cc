// The demo model with the tools of the notes assistant.
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { DemoConversation, type TestTool } from './demo-conversation.ts';

const text = { type: 'string' };

function vaultTools(notes: Map<string, string>): Record<string, TestTool> {
  return {
    list_directory: {
      properties: { path: text },
      required: ['path'],
      run: () => [...notes.keys()].join('\n'),
    },
    read_file: {
      properties: { path: text },
      required: ['path'],
      run({ path }) {
        const note = notes.get(String(path));
        if (note === undefined) throw new Error(`There is no note ${String(path)}.`);
        return note;
      },
    },
    search_files: {
      properties: { pattern: text },
      required: ['pattern'],
      run: ({ pattern }) =>
        [...notes]
          .filter(([, note]) => note.includes(String(pattern)))
          .map(([path, note]) => `${path}:1: ${note}`)
          .join('\n'),
    },
    write_file: {
      properties: { path: text, content: text },
      required: ['path', 'content'],
      run({ path, content }) {
        notes.set(String(path), String(content));
        return 'File written successfully';
      },
    },
  };
}

describe('the demo model with notes', () => {
  let notes: Map<string, string>;
  let conversation: DemoConversation;

  beforeEach(() => {
    notes = new Map([
      ['welcome.md', '# Welcome\nThis is your vault.'],
      ['shopping.md', '- bread\n- milk'],
      ['meetings/2026-01-19-club.md', 'Seed swap on 21 February in the club house.'],
    ]);
    conversation = new DemoConversation(vaultTools(notes));
  });

  it('says in its greeting that it is scripted and not Claude', () => {
    expect(conversation.say('Hello!').text).toMatch(/scripted demo model.*not Claude/);
  });

  it("says the same when it doesn't understand, and suggests what it can do", () => {
    const { text: answer, calls } = conversation.say('Compose a sonnet on the sea');
    expect(answer).toMatch(/didn't understand.*scripted demo model/);
    expect(answer).toContain('Search my notes for lemons');
    expect(answer).not.toContain('recipe');
    expect(calls).toEqual([]);
  });

  it.each(['What notes do I have?', 'list my files', "What's in my vault?", 'Show me my notes'])(
    'lists the notes for: %s',
    (said) => {
      const { text: answer, calls } = conversation.say(said);
      expect(calls).toEqual([{ name: 'list_directory', input: { path: '.' } }]);
      expect(answer).toMatch(/3 notes[\s\S]*welcome\.md[\s\S]*shopping\.md/);
    },
  );

  it('lists a folder by its name', () => {
    expect(conversation.say('List the files in journal/2026').calls[0]?.input).toEqual({
      path: 'journal/2026',
    });
  });

  it('reads two notes with two calls at once and answers from both', () => {
    const { text: answer, calls } = conversation.say('Please read welcome.md and shopping.md');
    expect(calls.map((call) => call.input)).toEqual([{ path: 'welcome.md' }, { path: 'shopping.md' }]);
    expect(answer).toContain('This is your vault.');
    expect(answer).toContain('- bread');
  });

  it("passes on the tool's message when a note doesn't exist", () => {
    expect(conversation.say('Read lost.md').text).toContain('There is no note lost.md.');
  });

  it('searches with the parameter that the tool has', () => {
    const { text: answer, calls } = conversation.say('Search my notes for milk');
    expect(calls).toEqual([{ name: 'search_files', input: { pattern: 'milk' } }]);
    expect(answer).toContain('shopping.md');
    expect(conversation.say('find “honey” in my notes').text).toContain('found nothing');
  });

  it.each([
    ['Write a note ideas.md saying Plant basil in May', 'ideas.md', 'Plant basil in May\n'],
    ['Write a note named beans with the text: soak overnight', 'beans.md', 'soak overnight\n'],
    ['Create a note called “Garden plan” saying Plant basil', 'garden-plan.md', 'Plant basil\n'],
    ['Create a note called plans/garden.md with the text: dig, sow', 'plans/garden.md', 'dig, sow\n'],
    ['Save "call Petra" to todo.md', 'todo.md', 'call Petra\n'],
    ['Remember that the key is under the mat', 'the-key-is-under-the-mat.md', 'the key is under the mat\n'],
  ])('writes a note for: %s', (said, path, content) => {
    const { text: answer } = conversation.say(said);
    expect(notes.get(path)).toBe(content);
    expect(answer).toContain(path);
  });

  it('reads a note before adding a line, and keeps its text', () => {
    const { calls } = conversation.say('Add oat milk to shopping.md');
    expect(calls.map((call) => call.name)).toEqual(['read_file', 'write_file']);
    expect(notes.get('shopping.md')).toBe('- bread\n- milk\n- oat milk\n');
  });

  it.each(["What's on my shopping list?", 'Show me the shopping note', 'open my shopping'])(
    'finds a note by its name for: %s',
    (said) => {
      notes.set('shopping-list.md', '- candles');
      notes.delete('shopping.md');
      const { text: answer, calls } = conversation.say(said);
      expect(calls.map((call) => call.name)).toEqual(['list_directory', 'read_file']);
      expect(answer).toContain('- candles');
    },
  );

  it('adds to a note by its name', () => {
    conversation.say('Add honey to my shopping');
    expect(notes.get('shopping.md')).toMatch(/- honey\n$/);
  });

  it('answers a question by searching for its most specific words, one after the other', () => {
    const { text: answer, calls } = conversation.say('When did they say the swap is?');
    expect(calls).toEqual([{ name: 'search_files', input: { pattern: 'swap' } }]);
    expect(answer).toContain('21 February');
    const second = conversation.say('Is the unicorn in the club?');
    expect(second.calls.map((call) => call.input)).toEqual([{ pattern: 'unicorn' }, { pattern: 'club' }]);
    expect(conversation.say('Where is the unicorn?').text).toContain('found nothing');
  });

  it('says that there is no note with that name', () => {
    expect(conversation.say('Read my tax return').text).toContain("couldn't find a note called “tax return”");
  });

  it("doesn't change a note that it could read only in part", () => {
    notes.set(
      'long.md',
      'once upon a time\n\n[The file was cut here: bytes 0 to 16 of 99 are shown. Continue with offset 16.]',
    );
    const { text: answer, calls } = conversation.say('Add the end to long.md');
    expect(calls.map((call) => call.name)).toEqual(['read_file']);
    expect(answer).toContain('too long');
  });

  it('reads listings with folders, sizes and remarks', () => {
    const listing = 'meetings/\nmy long list.md (1.2 KB)\nplan.md (31 bytes)\nold.md (a link, not followed)';
    const tools = {
      ...vaultTools(notes),
      list_directory: { properties: { path: text }, run: () => listing },
    };
    const { text: answer } = new DemoConversation(tools).say('List my notes');
    expect(answer).toMatch(
      /3 notes[\s\S]*- my long list\.md\n- plan\.md\n- old\.md[\s\S]*There are also folders: meetings\./,
    );
  });

  it('has an answer to any message and any tool result', () => {
    const words = fc.constantFrom(
      'read',
      'search',
      'for',
      'add',
      'to',
      'my',
      'note',
      'a.md',
      'write',
      ':',
      '"',
      '?',
      'what',
      'summarize',
      '<',
      '\n',
    );
    const said = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.array(words, { minLength: 1 }).map((list) => list.join(' ')),
    );
    fc.assert(
      fc.property(
        said.filter((line) => line.trim() !== ''),
        fc.string(),
        (line, result) => {
          const tools = Object.entries(vaultTools(notes)).map(
            ([name, tool]) => [name, { ...tool, run: () => result }] as const,
          );
          const answer = new DemoConversation(Object.fromEntries(tools)).say(line);
          expect(answer.text).not.toBe('');
        },
      ),
      { numRuns: 300 },
    );
  });

  it('handles a huge message without a space', () => {
    expect(conversation.say(`read ${'a'.repeat(1_000_000)}`).text).toContain("didn't understand");
  });

  it('summarizes in three steps: list, read, answer', () => {
    const { text: answer, calls } = conversation.say('Summarize my notes');
    expect(calls.map((call) => call.name)).toEqual(['list_directory', 'read_file', 'read_file', 'read_file']);
    expect(answer).toMatch(/welcome\.md\*\* \(6 words\): Welcome/);
  });

  it('treats each message of a conversation separately', () => {
    conversation.say('Read welcome.md');
    expect(conversation.say('Read shopping.md').calls).toEqual([
      { name: 'read_file', input: { path: 'shopping.md' } },
    ]);
  });

  it("reports the type and size of a picture and says that it can't see it", () => {
    const data = Buffer.alloc(2_048).toString('base64');
    const source = { type: 'base64', media_type: 'image/png', data };
    const { text: answer } = conversation.say([{ type: 'image', source }]);
    expect(answer).toMatch(/PNG image of about 2 KB.*can't see/);
  });
});
