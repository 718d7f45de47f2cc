import type { ContentBlock, Message } from '@parley/protocol';
import { callTool, reply } from '@parley/stand-ins';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alternateRoles, toTurns, usableHistory } from '../../../src/engines/messages-api/history.ts';
import { Harness, streamedText, tool } from './harness.ts';

const user = (...content: ContentBlock[]): Message => ({ role: 'user', content });
const assistant = (...content: ContentBlock[]): Message => ({ role: 'assistant', content });
const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const call = (id: string): ContentBlock => ({ type: 'tool_use', id, name: 'look', input: {} });
const result = (id: string): ContentBlock => ({ type: 'tool_result', tool_use_id: id, content: 'seen' });
const interrupted = (id: string) => ({
  type: 'tool_result',
  tool_use_id: id,
  is_error: true,
  content: expect.stringContaining('interrupted'),
});

describe('what is used of earlier turns', () => {
  const eggs = user(text('Add eggs'));
  const hello = user(text('Hello'));
  const use = (...turns: Parameters<typeof usableHistory>[0]) => usableHistory(turns, hello);

  it('is everything of turns that completed, even if their prompts are the same', () => {
    const turn = { messages: [hello, assistant(text('Hi.'))], end: 'completed' as const };
    expect(use(turn, turn)).toEqual({ earlier: [...turn.messages, ...turn.messages], done: [] });
  });

  it('is nothing of a prompt that failed before it was answered', () => {
    expect(use({ messages: [eggs], end: 'failed' })).toEqual({ earlier: [], done: [] });
    expect(use({ messages: [], end: 'failed' })).toEqual({ earlier: [], done: [] });
  });

  it('is what was said and done before another prompt failed', () => {
    const messages = [eggs, assistant(call('toolu_1')), user(result('toolu_1')), assistant(text('I ad'))];
    expect(use({ messages, end: 'failed' })).toEqual({ earlier: messages, done: [] });
  });

  it('is a prompt that a person stopped, with a note that nobody acts on it', () => {
    const { earlier } = use({ messages: [eggs], end: 'stopped' });
    expect(earlier).toEqual([eggs, assistant(text(expect.stringContaining('stopped') as string))]);
  });

  it('is only what tools did of unfinished attempts at the same prompt', () => {
    const used = [assistant(call('toolu_1')), user(result('toolu_1'))];
    const first = { messages: [hello, ...used, assistant(text('Hal'))], end: 'failed' as const };
    const second = { messages: [hello, assistant(text('Half'))], end: 'stopped' as const };
    expect(use(second)).toEqual({ earlier: [], done: [] });
    expect(use(first, second)).toEqual({ earlier: [], done: used });
    const third = { messages: [hello, assistant(text('Hi.'))], end: 'completed' as const };
    expect(use(first, second, third)).toEqual({
      earlier: [hello, ...used, assistant(text('Hi.'))],
      done: [],
    });
  });
});

describe('a follow-up', () => {
  it('is sent with the tool calls and results of earlier turns [notes.chat.earlier-tool-results]', async () => {
    const list = tool('list', () => Promise.resolve({ content: 'soup has the id 42' }));
    await using harness = await Harness.start({ tools: [list] });
    harness.api.enqueue(reply(callTool('list', {}, 'toolu_1')), reply('There is soup.'), reply('42.'));

    await harness.prompt('What is there?');
    // As after a restart: only the stored messages are left.
    harness.history = JSON.parse(JSON.stringify(harness.history)) as Message[];
    await harness.prompt('What is its id?');

    expect(harness.api.conversations[2]?.body.messages).toMatchObject([
      { role: 'user', content: [{ type: 'text', text: 'What is there?' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'list' }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'soup has the id 42' }],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'There is soup.' }] },
      { role: 'user', content: [{ type: 'text', text: 'What is its id?' }] },
    ]);
  });

  it('works after a crash between a tool call and its result', async () => {
    await using harness = await Harness.start();
    harness.history = [user(text('Go')), assistant(text('Let me look.'), call('toolu_1'), call('toolu_2'))];
    harness.api.enqueue(reply('It did not finish.'));

    const events = await harness.prompt('What happened?');

    expect(streamedText(events)).toBe('It did not finish.');
    expect(harness.api.conversations[0]?.body.messages.at(-1)).toMatchObject({
      role: 'user',
      content: [interrupted('toolu_1'), interrupted('toolu_2'), { type: 'text', text: 'What happened?' }],
    });
  });

  it('gets the reminder of its assistant from the fifth message on, which is never stored [kitchen.reminder.fifth-message, kitchen.reminder.not-in-history]', async () => {
    const reminder = { fromMessage: 5, text: 'Remember the rules.' };
    await using harness = await Harness.start({ assistant: { reminder } });
    harness.api.enqueue(...['One.', 'Two.', 'Three.', 'Four.'].map((words) => reply(words)));

    for (const prompt of ['1', '2', '3', '4']) await harness.prompt(prompt);

    const reminded = harness.api.conversations.map(({ body }) =>
      body.messages.map(({ content }) => JSON.stringify(content).includes(reminder.text)),
    );
    expect(reminded).toEqual([
      [false],
      [false, false, false],
      [false, false, false, false, true],
      [false, false, false, false, false, false, true],
    ]);
    expect(JSON.stringify(harness.history)).not.toContain(reminder.text);
  });
});

describe('toTurns', () => {
  it.each<[string, readonly Message[], readonly (readonly unknown[])[]]>([
    ['nothing', [], []],
    [
      'a whole turn',
      [user(text('a')), assistant(call('1')), user(result('1')), assistant(text('b'))],
      [[user(text('a')), assistant(call('1')), user(result('1')), assistant(text('b'))]],
    ],
    [
      'a call without a result at the end',
      [user(text('a')), assistant(call('1'))],
      [[user(text('a')), assistant(call('1')), { role: 'user', content: [interrupted('1')] }]],
    ],
    [
      'one of two results',
      [user(text('a')), assistant(call('1'), call('2')), user(result('2')), user(text('b'))],
      [
        [
          user(text('a')),
          assistant(call('1'), call('2')),
          { role: 'user', content: [interrupted('1'), result('2')] },
        ],
        [user(text('b'))],
      ],
    ],
    [
      'results in another order',
      [user(text('a')), assistant(call('1'), call('2')), user(result('2'), result('1'))],
      [[user(text('a')), assistant(call('1'), call('2')), user(result('1'), result('2'))]],
    ],
    [
      'a result without a call',
      [user(text('a')), user(result('1')), assistant(text('b'))],
      [[user(text('a')), assistant(text('b'))]],
    ],
    ['an answer before any prompt', [assistant(text('b')), user(text('a'))], [[user(text('a'))]]],
    [
      'empty messages and blank text',
      [user(text('a')), assistant(), assistant(text(' \n'))],
      [[user(text('a'))]],
    ],
    [
      'thinking',
      [user(text('a')), assistant({ type: 'thinking', thinking: 'hm', signature: 's' }, text('b'))],
      [[user(text('a')), assistant(text('b'))]],
    ],
    [
      'a search of the service without its result',
      [
        user(text('a')),
        assistant({ type: 'server_tool_use', id: 's1', name: 'web_search', input: {} }, text('b')),
      ],
      [[user(text('a')), assistant(text('b'))]],
    ],
  ])('repairs %s', (_, messages, turns) => {
    expect(toTurns(messages)).toEqual(turns);
  });

  it('returns a conversation that the service accepts, whatever was stored', () => {
    const id = fc.constantFrom('1', '2', '3', '4');
    const block = fc.oneof(
      fc.constantFrom(text('words'), text(''), { type: 'thinking', thinking: 'hm', signature: 's' }),
      id.map(call),
      id.map(result),
    );
    const message = fc.record({
      role: fc.constantFrom('user' as const, 'assistant' as const),
      content: fc.array(block, { maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
        // A side never contains blocks of the other.
        const kept = messages.map(({ role, content }) => ({
          role,
          content: distinctCalls(
            content.filter(({ type }) =>
              role === 'user' ? type !== 'tool_use' && type !== 'thinking' : type !== 'tool_result',
            ),
          ),
        }));
        const conversation = alternateRoles(toTurns(kept).flat());

        expect(conversation[0]?.role ?? 'user').toBe('user');
        for (const [at, { role, content }] of conversation.entries()) {
          expect(content.length).toBeGreaterThan(0);
          expect(content).not.toContainEqual(text(''));
          expect(role).toBe(at % 2 === 0 ? 'user' : 'assistant');
          const calls = content.filter(({ type }) => type === 'tool_use').map((block) => block['id']);
          const next = conversation[at + 1]?.content ?? [];
          const results = next
            .filter(({ type }) => type === 'tool_result')
            .map((block) => block['tool_use_id']);
          expect(role === 'assistant' ? results : []).toEqual(calls);
          expect(next.slice(0, results.length).every(({ type }) => type === 'tool_result')).toBe(true);
        }
      }),
    );
  });
});

function distinctCalls(content: readonly ContentBlock[]): ContentBlock[] {
  const seen = new Set<unknown>();
  return content.filter((block) => {
    const key = block['id'] ?? block['tool_use_id'];
    if (key === undefined) return true;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
