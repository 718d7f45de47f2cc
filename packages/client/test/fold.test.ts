// How events become what a conversation shows.
import { type Meaning, noUsage, type SessionEvent } from '@parley/protocol';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ConversationView,
  type Entry,
  emptyView,
  foldEntries,
  foldEntry,
  foldOlder,
  foldSubagent,
  type Item,
  mainThread,
} from '../src/index.ts';

const turnA = '22222222-2222-4222-8222-222222222222';
const turnB = '33333333-3333-4333-8333-333333333333';
const permission = '44444444-4444-4444-8444-444444444444';
const usage = { ...noUsage, inputTokens: 10, outputTokens: 5, costUsd: 0.01 };

const say = (text: string): Meaning => ({ type: 'text.delta', text });
const answer = (...content: { type: string }[]): Meaning => ({ type: 'message', role: 'assistant', content });
const words = (text: string) => ({ type: 'text', text });
const start = (text: string, author?: string): SessionEvent => ({
  type: 'turn.started',
  author,
  door: 'http',
  prompt: [{ type: 'text', text }],
});
const end = (text: string): SessionEvent => ({
  type: 'turn.ended',
  outcome: 'completed',
  text,
  usage,
  durationMs: 5,
});
const started = (id: string, tool = 'read_file'): Meaning => ({ type: 'tool.started', id, tool, input: {} });
const ended = (id: string, tool = 'read_file'): Meaning => ({
  type: 'tool.ended',
  id,
  tool,
  outcome: 'finished',
});
const result = (id: string, content: unknown): Meaning => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content }],
});
const person = (text: string): Meaning => ({ type: 'message', role: 'user', content: [words(text)] });
const frame = (uuid: string | undefined, means: Meaning[], subagent?: string): SessionEvent => ({
  type: 'frame',
  raw: JSON.stringify({ uuid }),
  ...(uuid !== undefined && { uuid }),
  ...(subagent !== undefined && { subagent }),
  means,
});

describe('a chat', () => {
  it('shows what was said and done, in order', () => {
    const view = fold([
      [turnA, start('Show me the soup')],
      [turnA, say('Let me ')],
      [turnA, say('look.')],
      [turnA, answer(words('Let me look.'), { type: 'tool_use', id: 'use1', name: 'x' } as never)],
      [turnA, started('use1', 'display_recipe')],
      [turnA, { type: 'artifact', kind: 'recipe', id: 'soup' }],
      [turnA, ended('use1', 'display_recipe')],
      [turnA, result('use1', [{ type: 'text', text: 'shown' }])],
      [turnA, say('Here it is.')],
      [turnA, answer(words('Here it is.'))],
      [turnA, { type: 'usage', model: 'claude-x', usage }],
      [turnA, end('Here it is.')],
    ]);
    expect(view.items).toMatchObject([
      { kind: 'prompt', text: 'Show me the soup', turnId: turnA },
      { kind: 'text', text: 'Let me look.' },
      { kind: 'tool', id: 'use1', tool: 'display_recipe' },
      { kind: 'artifact', id: 'soup' },
      { kind: 'text', text: 'Here it is.' },
      { kind: 'end', outcome: 'completed', model: 'claude-x', usage, costUsd: 0.01, durationMs: 5 },
    ]);
    expect(view.tools.get('use1')).toMatchObject({ outcome: 'finished', text: 'shown' });
    expect(view).toMatchObject({ recipe: { id: 'soup', seq: 6 }, running: undefined, usage });
    expect(view.writing.size).toBe(0);
  });

  it('shows text while it is written, and replaces it with the whole message', () => {
    const steps: Step[] = [
      [turnA, start('Hi')],
      [turnA, { type: 'thinking.delta', text: 'Hm' }],
      [turnA, say('Hel')],
      [turnA, say('l')],
    ];
    expect(written(fold(steps))).toEqual(['thinking:Hm', 'text:Hell']);
    const whole = fold([
      ...steps,
      [turnA, answer({ type: 'thinking', thinking: 'Hm.' } as never, words('Hello'))],
    ]);
    expect(written(whole)).toEqual([]);
    expect(texts(whole)).toEqual(['Hi', 'Hm.', 'Hello']);
  });

  it('says which block became which item, so that a page does not have to draw it again', () => {
    const steps: Step[] = [
      [turnA, start('Hi')],
      [turnA, { type: 'thinking.delta', text: 'Hm' }],
      [turnA, say('Hel')],
      [turnA, say('lo')],
    ];
    const [thought, said] = fold(steps).writing.get(mainThread) ?? [];
    expect(new Set([thought?.key, said?.key]).size).toBe(2);
    const whole = fold([
      ...steps,
      [turnA, answer({ type: 'thinking', thinking: 'Hm' } as never, words('Hello'))],
    ]);
    expect(whole.items.slice(1)).toMatchObject([{ writtenAs: thought?.key }, { writtenAs: said?.key }]);
    const stopped = fold([...steps, [turnA, { ...end(''), outcome: 'interrupted' } as SessionEvent]]);
    expect(stopped.items.slice(1, 3)).toMatchObject([{ writtenAs: thought?.key }, { writtenAs: said?.key }]);
  });

  it('shows the end of a turn once, although it is also in the past', () => {
    const past: Entry = { at: 9, turnId: turnA, event: end('') };
    const view = foldEntries(foldEntries(emptyView, [past]), numbered([[turnA, end('')]]));
    expect(view.items.map(({ kind }) => kind)).toEqual(['end']);
  });

  it('shows the input of a tool while the model writes it', () => {
    const view = fold([
      [turnA, { type: 'tool.delta', id: 'a', tool: 'write_file', json: '{"path"' }],
      [turnA, { type: 'tool.delta', id: 'a', tool: 'write_file', json: ':"x"' }],
      [turnA, { type: 'tool.delta', id: 'b', tool: 'read_file', json: '{' }],
    ]);
    expect(view.writing.get(mainThread)).toMatchObject([
      { kind: 'tool', tool: 'write_file', id: 'a', text: '{"path":"x"' },
      { kind: 'tool', tool: 'read_file', id: 'b', text: '{' },
    ]);
  });

  it('keeps what was written when the turn is interrupted', () => {
    const view = fold([
      [turnA, start('Hi')],
      [turnA, say('Half a sen')],
      [turnA, { ...end(''), outcome: 'interrupted' } as SessionEvent],
    ]);
    expect(texts(view)).toEqual(['Hi', 'Half a sen']);
    expect(view.writing.size).toBe(0);
  });

  it('shows the stored answer of a turn that has nothing else left', () => {
    expect(
      texts(
        fold([
          [turnA, start('Hi')],
          [turnA, end('Hello')],
        ]),
      ),
    ).toEqual(['Hi', 'Hello']);
    const twice = fold([
      [turnA, start('Hi')],
      [turnA, answer(words('Hello'))],
      [turnA, end('Hello')],
    ]);
    expect(texts(twice)).toEqual(['Hi', 'Hello']);
  });

  it('shows the tools of stored messages, which come without the events of their run', () => {
    const view = foldEntries(emptyView, [
      { at: 1, turnId: turnA, event: start('Hi') },
      {
        at: 1,
        turnId: turnA,
        event: answer({ type: 'tool_use', id: 'u', name: 'read_file', input: { a: 1 } } as never),
      },
      { at: 1, turnId: turnA, event: result('u', 'the text') },
    ]);
    expect(view.items[1]).toMatchObject({ kind: 'tool', id: 'u', tool: 'read_file', input: { a: 1 } });
    expect(view.tools.get('u')).toMatchObject({ outcome: 'finished', text: 'the text' });
  });

  it('shows a prompt once, although the engine repeats it as a message', () => {
    const view = fold([
      [turnA, start('two\nlines')],
      [turnA, person('two lines ')],
    ]);
    expect(texts(view)).toEqual(['two\nlines']);
  });

  it('holds waiting prompts until their turn starts', () => {
    const waiting: Step = [
      undefined,
      {
        type: 'queue.changed',
        prompts: [{ turnId: turnB, prompt: [{ type: 'text', text: 'Next' }], queuedAt: 1 }],
      },
    ];
    const before = fold([[turnA, start('First')], waiting]);
    expect(before.queue).toEqual([{ turnId: turnB, prompt: { text: 'Next', images: [] }, queuedAt: 1 }]);
    expect(before.running).toBe(turnA);
    const after = fold([[turnA, start('First')], waiting, [turnA, end('')], [turnB, start('Next')]]);
    expect(after).toMatchObject({ queue: [], running: turnB });

    const blocked: Step = [undefined, { type: 'queue.blocked', ahead: 3 }];
    expect(fold([waiting, blocked])).toMatchObject({ ahead: 3 });
    expect(fold([waiting, blocked, [turnB, start('Next')]]).ahead).toBeUndefined();
    expect(
      fold([waiting, blocked, [undefined, { type: 'queue.changed', prompts: [] }]]).ahead,
    ).toBeUndefined();
  });

  it('shows a permission until it is settled, and why it was', () => {
    const asked: Step = [
      turnA,
      {
        type: 'permission.asked',
        id: permission,
        request: { tool: 'linkedin_post', input: { text: 'Hi' }, toolUseId: 'use1' },
      },
    ];
    const open = fold([[turnA, start('Post')], asked]);
    expect(open.permissions).toMatchObject([{ id: permission, turnId: turnA }]);
    expect(open.items[1]).toMatchObject({ kind: 'permission', id: permission });
    const settled = fold([
      [turnA, start('Post')],
      asked,
      [
        turnA,
        {
          type: 'permission.settled',
          id: permission,
          tool: 'linkedin_post',
          decision: { behavior: 'deny' },
          reason: 'turn-ended',
        },
      ],
    ]);
    expect(settled.permissions).toEqual([]);
    expect(settled.settled.get('use1')).toEqual({ behavior: 'deny', reason: 'turn-ended' });
  });

  it('shows a prompt that was sent again after a failure only once, with what the first attempt did [kitchen.ui.error-retry]', () => {
    const failed = { ...end(''), outcome: 'failed' } as SessionEvent;
    const attempt: [string, SessionEvent][] = [
      [turnA, start('Add eggs')],
      [turnA, started('use1')],
      [turnA, ended('use1')],
      [turnA, say('I ad')],
      [turnA, failed],
    ];
    const kinds = ({ items }: ConversationView) => items.map(({ kind, turnId }) => [kind, turnId]);
    expect(kinds(fold(attempt)).map(([kind]) => kind)).toEqual(['prompt', 'tool', 'text', 'end']);
    expect(kinds(fold([...attempt, [turnB, start('Add eggs')], [turnB, end('Added.')]]))).toEqual([
      ['prompt', turnB],
      ['tool', turnA],
      ['text', turnB],
      ['end', turnB],
    ]);
    expect(kinds(fold([...attempt, [turnB, start('Hello')]]))).toHaveLength(5);
    const completed = [...attempt.slice(0, -1), [turnA, end('I added.')] as [string, SessionEvent]];
    expect(kinds(fold([...completed, [turnB, start('Add eggs')]])).at(-1)).toEqual(['prompt', turnB]);
  });

  it('leaves no tool running when its turn has ended', () => {
    const view = fold([
      [turnA, start('Hi')],
      [turnA, started('use1')],
      [
        turnA,
        {
          type: 'turn.ended',
          outcome: 'interrupted',
          text: '',
          usage,
          durationMs: 1,
          error: { code: 'unavailable', message: 'The server stopped.', recoverable: true },
        },
      ],
    ]);
    expect(view.tools.get('use1')?.outcome).toBe('failed');
    expect(view.items.at(-1)).toMatchObject({
      kind: 'end',
      outcome: 'interrupted',
      error: { code: 'unavailable', message: 'The server stopped.', recoverable: true },
    });
  });

  it('shows pictures of prompts and of results', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
    const view = fold([
      [
        turnA,
        {
          type: 'turn.started',
          door: 'http',
          prompt: [{ type: 'image', mediaType: 'image/png', data: 'BBBB' }],
        },
      ],
      [turnA, started('use1')],
      [turnA, result('use1', [image, { type: 'image', source: { media_type: 'text/html', data: 'x' } }])],
    ]);
    expect(view.items[0]).toMatchObject({ pictures: [{ mediaType: 'image/png', data: 'BBBB' }] });
    expect(view.tools.get('use1')?.pictures).toEqual([{ mediaType: 'image/png', data: 'AAAA' }]);
  });
});

describe('a Claude Code session', () => {
  it('carries the frame that an item was read from', () => {
    const view = fold([[turnA, frame('f1', [answer(words('Hello'))])]]);
    expect(view.items[0]).toMatchObject({ key: 'f1:1', frame: '{"uuid":"f1"}' });
  });

  it('shows each block of a message while it is written, although blocks arrive one by one', () => {
    const seen: string[] = [];
    let view = emptyView;
    const steps: Step[] = [
      [turnA, frame('1', [{ type: 'thinking.delta', text: 'Let me ' }])],
      [turnA, frame('2', [{ type: 'thinking.delta', text: 'see.' }])],
      [turnA, frame('3', [answer({ type: 'thinking', thinking: 'Let me see.' } as never)])],
      [turnA, frame('4', [say('Hello ')])],
      [turnA, frame('5', [say('there!')])],
      [turnA, frame('6', [answer(words('Hello there!'))])],
    ];
    for (const entry of numbered(steps)) {
      view = foldEntry(view, entry);
      seen.push([...texts(view), ...written(view)].join(' | '));
    }
    expect(seen).toEqual([
      'thinking:Let me ',
      'thinking:Let me see.',
      'Let me see.',
      'Let me see. | text:Hello ',
      'Let me see. | text:Hello there!',
      'Let me see. | Hello there!',
    ]);
  });

  it('leaves nothing half written when its turn ends', () => {
    const view = fold([
      [turnA, start('Hi')],
      [turnA, frame('1', [say('Half a sen')])],
      [turnA, end('')],
    ]);
    expect([view.writing.size, texts(view)]).toEqual([0, ['Hi']]);
  });

  it('shows a prompt once, although the program repeats it', () => {
    const view = fold([
      [turnA, start('Do it')],
      [turnA, frame(turnA, [person('Do it')])],
      [turnA, frame('steered', [person('Do it')])],
    ]);
    expect(view.items.map(({ key }) => key)).toEqual([`${turnA}:1`, 'steered:1']);
  });

  it('shows who wrote a prompt, live and from the past [team.share.author]', () => {
    const line: Entry = { at: 1, author: 'anna', event: frame('past', [person('Earlier')]) };
    const live: Entry = { seq: 1, at: 2, turnId: turnA, event: start('Now', 'petra') };
    const repeated: Entry = { seq: 2, at: 3, turnId: turnA, event: frame(turnA, [person('Now')]) };
    const { items } = foldEntries(emptyView, [line, live, repeated]);
    expect(items).toMatchObject([
      { text: 'Earlier', author: 'anna' },
      { text: 'Now', author: 'petra' },
    ]);
  });

  it('continues a running turn whose first messages were read as lines of the past', () => {
    const lines: [string, Meaning[]][] = [
      [turnA, [person('continue')]],
      ['w', [answer(words('Hello there'))]],
      ['t', [started('use1', 'Bash')]],
    ];
    const past = lines.map(([uuid, means], at): Entry => ({ at, event: frame(uuid, means) }));
    const [prompt, whole, call] = past.map(({ event }) => event) as [
      SessionEvent,
      SessionEvent,
      SessionEvent,
    ];
    const steps: Step[] = [
      [turnA, start('continue')],
      [turnA, prompt],
      [turnA, frame('d', [say('Hello there')])],
      [turnA, whole],
      [turnA, call],
      [turnA, frame('e', [say('More')])],
    ];
    const view = foldEntries(foldEntries(emptyView, past), numbered(steps));
    expect(view.items.map(({ key }) => key)).toEqual([`${turnA}:1`, 'w:1', 'use1']);
    expect(view.tools.get('use1')?.outcome).toBe('running');
    expect(written(view)).toEqual(['text:More']);
    const live = fold(steps);
    expect(live.items.map(({ key }) => key)).toEqual(view.items.map(({ key }) => key));
  });

  it('throws away what was written when the program asks the model again', () => {
    const view = fold([
      [turnA, frame('1', [say('Hel')])],
      [turnA, frame('2', [{ type: 'notice', code: 'retrying', message: 'Trying again.', tone: 'warn' }])],
      [turnA, frame('3', [say('Hello')])],
    ]);
    expect(written(view)).toEqual(['text:Hello']);
    expect(view.items).toMatchObject([{ kind: 'notice', tone: 'warn', text: 'Trying again.' }]);
  });

  it('knows a refused call, and what the program reports in addition to a result', () => {
    const view = fold([
      [turnA, frame('1', [started('use1', 'Edit')])],
      [
        turnA,
        frame('2', [
          result('use1', 'No.'),
          {
            type: 'tool.ended',
            id: 'use1',
            tool: 'Edit',
            outcome: 'failed',
            denied: true,
            reason: 'No.',
            details: { structuredPatch: [1] },
          },
        ]),
      ],
    ]);
    expect(view.tools.get('use1')).toMatchObject({
      outcome: 'failed',
      denied: true,
      reason: 'No.',
      stopped: false,
      text: 'No.',
      details: { structuredPatch: [1] },
      frame: '{"uuid":"2"}',
    });
  });

  it('puts the messages of a subagent below the call that runs it', () => {
    const view = fold([
      [turnA, frame('1', [started('agent', 'Agent')])],
      [turnA, frame('2', [person('Look')], 'agent')],
      [turnA, frame('3', [started('use2', 'Bash'), { type: 'todos', todos: [] }], 'agent')],
      [turnA, frame('4', [result('use2', 'README.md'), ended('use2', 'Bash')], 'agent')],
      [turnA, frame('5', [answer(words('I see a file'))], 'agent')],
    ]);
    expect(view.items.map(({ kind }) => kind)).toEqual(['tool']);
    expect(view.subagents.get('agent')).toMatchObject([
      { kind: 'prompt', text: 'Look' },
      { kind: 'tool', id: 'use2' },
      { kind: 'text', text: 'I see a file' },
    ]);
    expect(view.tools.get('use2')?.text).toBe('README.md');
  });

  it('shows a frame of an unknown kind as it is [code.messages.typed-views]', () => {
    const view = fold([[turnA, frame('1', [{ type: 'unknown', name: 'from_the_future' }])]]);
    expect(view.items).toMatchObject([{ kind: 'raw', name: 'from_the_future', frame: '{"uuid":"1"}' }]);
  });

  it('says what a turn cost, how long it took and which frame says so', () => {
    const view = fold([
      [turnA, start('Hi')],
      [
        turnA,
        frame('r', [
          { type: 'usage', model: 'opus', usage, durationMs: 1_234, totalCostUsd: 0.5 },
          { type: 'context', model: 'opus', tokens: 900, window: 200_000 },
        ]),
      ],
      [turnA, end('')],
    ]);
    expect(view.items.at(-1)).toMatchObject({
      kind: 'end',
      durationMs: 1_234,
      outputTokens: 5,
      model: 'opus',
      frame: '{"uuid":"r"}',
    });
    expect(view.facts).toMatchObject({ totalCostUsd: 0.5, contextTokens: 900, contextWindow: 200_000 });
  });

  it('follows the model and the mode that the program reports, and choices made on any page', () => {
    const report = (model: string, permissionMode: string): Step => [
      turnA,
      frame(undefined, [{ type: 'program', model, permissionMode, workingDir: '/work' }]),
    ];
    const opus = { value: 'opus', displayName: 'Opus', description: '' };
    const chosen: Step[] = [
      report('claude-x', 'default'),
      [undefined, { type: 'settings.changed', model: 'opus', permissionMode: 'plan' }],
      [undefined, { type: 'models.changed', models: [opus] }],
      report('claude-x', 'default'),
    ];
    expect(fold(chosen).facts).toMatchObject({
      model: 'opus',
      permissionMode: 'plan',
      models: [opus],
      workingDir: '/work',
    });
    const reported = fold([...chosen, report('claude-y', 'acceptEdits')]);
    expect(reported.facts).toMatchObject({ model: 'claude-y', permissionMode: 'acceptEdits' });
    const given = fold([
      ...chosen,
      [undefined, { type: 'settings.changed', model: null, permissionMode: null }],
    ]);
    expect(given.facts).toMatchObject({ model: 'claude-x', permissionMode: 'default' });
  });

  it('keeps what it knows about commands when the program only names them', () => {
    const offer = (commands: { name: string; description?: string }[]): Step => [
      turnA,
      frame(undefined, [{ type: 'program', commands }]),
    ];
    const view = fold([
      offer([{ name: 'review', description: 'Reviews a pull request' }, { name: 'compact' }]),
      [turnA, frame(undefined, [{ type: 'program' }])],
      offer([{ name: 'review' }, { name: 'new' }]),
    ]);
    expect(view.facts.commands).toEqual([
      { name: 'review', description: 'Reviews a pull request' },
      { name: 'new' },
    ]);
  });

  it('keeps the todos of the main thread', () => {
    const todos = [{ text: 'Look', status: 'pending' as const }];
    const view = fold([
      [turnA, frame('1', [{ type: 'todos', todos }])],
      [turnA, frame('2', [{ type: 'todos', todos: [] }], 'agent')],
    ]);
    expect(view.todos).toEqual(todos);
  });
});

describe('the past', () => {
  const lines: Entry[] = [
    frame('1', [person('First')]),
    frame('2', [answer(words('One'))]),
    frame('3', [started('a', 'Agent')]),
    frame('4', [result('a', 'done'), ended('a', 'Agent')]),
    frame('5', [person('Second')]),
    frame('6', [answer(words('Two')), { type: 'context', model: 'new', tokens: 5 }]),
  ].map((event, at) => ({ at: at * 1_000, event }));
  const whole = foldEntries(emptyView, lines);

  it('shows the same whether it is read at once or backwards in pages', () => {
    for (const size of [1, 2, 4]) {
      let paged = emptyView;
      for (let to = lines.length; to > 0; to -= size)
        paged = foldOlder(paged, lines.slice(Math.max(0, to - size), to));
      expect(paged.items).toEqual(whole.items);
      expect(paged.tools).toEqual(whole.tools);
    }
  });

  it('is folded once, whether its frames or its lines came first', () => {
    const live = numbered(lines.map(({ event }) => [turnA, event]));
    expect(foldEntries(whole, live).items).toEqual(whole.items);
    expect(foldOlder(foldEntries(emptyView, live), lines).items).toHaveLength(whole.items.length);
  });

  it('leaves facts and state as the newer events left them', () => {
    const view = foldOlder(foldEntries(emptyView, lines.slice(5)), [
      {
        at: 1,
        event: frame('0', [
          { type: 'context', model: 'old', tokens: 1 },
          { type: 'todos', todos: [] },
        ]),
      },
    ]);
    expect(view.facts).toMatchObject({ model: 'new', contextTokens: 5 });
  });

  it('of a subagent goes below its call, although its lines do not name the subagent', () => {
    const said: Entry[] = [
      { at: 1, event: frame('s1', [person('Look')]) },
      { at: 2, event: frame('s2', [answer(words('Seen'))]) },
    ];
    const joined = foldEntry(whole, { seq: 1, at: 2, event: frame('s2', [answer(words('Seen'))], 'a') });
    const view = foldSubagent(joined, 'a', said);
    expect(view.subagents.get('a')?.map(({ key }) => key)).toEqual(['s1:1', 's2:1']);
    expect(view.items).toBe(whole.items);
  });

  it('has a key of its own for every item, even without uuids', () => {
    const anonymous: Entry[] = [1, 2].map((at) => ({ at, event: frame(undefined, [answer(words('x'))]) }));
    const view = foldOlder(foldOlder(foldEntries(emptyView, anonymous), anonymous), anonymous);
    expect(new Set(view.items.map(({ key }) => key)).size).toBe(6);
  });
});

describe('the fold', () => {
  const meaning = fc.oneof(
    fc.string({ maxLength: 5 }).map(say),
    fc.string({ maxLength: 5 }).map((text): Meaning => ({ type: 'thinking.delta', text })),
    fc.constant<Meaning>({ type: 'tool.delta', tool: 'read_file', json: '{' }),
    fc.string({ maxLength: 5 }).map((text) => answer(words(text))),
    fc.string({ maxLength: 5 }).map(person),
    fc.constantFrom('use1', 'use2').map((id) => started(id)),
    fc.constantFrom('use1', 'use2').map((id) => ended(id)),
    fc.constantFrom('use1', 'use2').map((id) => result(id, 'text')),
    fc.constant<Meaning>({ type: 'artifact', kind: 'recipe', id: 'soup' }),
    fc.constant<Meaning>({ type: 'usage', model: 'claude-x', usage }),
    fc.constant<Meaning>({ type: 'notice', code: 'x', message: 'again' }),
    fc.constantFrom('a', 'b').map((model): Meaning => ({ type: 'context', model, tokens: 3 })),
  );
  const event: fc.Arbitrary<SessionEvent> = fc.oneof(
    meaning,
    fc
      .tuple(fc.uuid(), fc.array(meaning, { maxLength: 3 }), fc.constantFrom(undefined, 'use1'))
      .map(([uuid, means, subagent]) => frame(uuid, means, subagent)),
    fc.constant(start('again')),
    fc.constant(end('done')),
    fc.constant<SessionEvent>({ type: 'settings.changed', model: null }),
    fc.constant<SessionEvent>({
      type: 'permission.asked',
      id: permission,
      request: { tool: 'x', input: {}, toolUseId: 'use1' },
    }),
    fc.constant<SessionEvent>({
      type: 'permission.settled',
      id: permission,
      tool: 'x',
      decision: { behavior: 'deny' },
      reason: 'decided',
    }),
  );
  const log = fc.array(fc.tuple(fc.constantFrom(turnA, turnB), event), { maxLength: 40 });

  it('is the same however events are split into batches, and no matter where a reader resumes [kitchen.ui.reconnect]', () => {
    fc.assert(
      fc.property(log, fc.array(fc.tuple(fc.nat(40), fc.nat(10)), { maxLength: 8 }), (steps, cuts) => {
        const all = numbered(steps);
        let view = emptyView;
        let from = 0;
        for (const [length, overlap] of cuts) {
          view = foldEntries(view, all.slice(Math.max(0, from - overlap), from + length));
          from = Math.min(all.length, from + length);
        }
        view = foldEntries(view, all.slice(from));
        expect(view).toEqual(foldEntries(emptyView, all));
      }),
    );
  });

  it('changes nothing in the view that it was given, and keeps what did not change', () => {
    fc.assert(
      fc.property(log, fc.nat(40), (steps, cut) => {
        const all = numbered(steps);
        const before = foldEntries(emptyView, all.slice(0, cut));
        const copy = structuredClone(before);
        const after = foldEntries(before, all.slice(cut));
        expect(before).toEqual(copy);
        before.items.forEach((item, at) => {
          expect(after.items[at]).toBe(item);
        });
      }),
    );
  });

  it('keeps the identity of what an event does not affect', () => {
    const before = fold([
      [turnA, start('Hi')],
      [turnA, started('use1')],
    ]);
    const { items, tools, facts, seen, subagents } = foldEntry(before, { seq: 9, at: 1, event: say('x') });
    expect(items).toBe(before.items);
    expect(tools).toBe(before.tools);
    expect(facts).toBe(before.facts);
    expect(seen).toBe(before.seen);
    expect(subagents).toBe(before.subagents);
  });
});

type Step = readonly [string | undefined, SessionEvent];

function fold(steps: readonly Step[]): ConversationView {
  return foldEntries(emptyView, numbered(steps));
}

function numbered(steps: readonly Step[]): Entry[] {
  return steps.map(([turnId, event], at) => ({ seq: at + 1, at: 1_000 + at, turnId, event }));
}

function texts({ items }: ConversationView): string[] {
  return items.flatMap((item: Item) => ('text' in item ? [item.text] : []));
}

function written({ writing }: ConversationView): string[] {
  return (writing.get(mainThread) ?? []).map(({ kind, text }) => `${kind}:${text}`);
}

describe('files of a prompt', () => {
  const list = { name: 'list.txt', mediaType: 'text/plain', size: 10 };

  it('are shown by name and size', () => {
    const started = start('Read it') as Extract<SessionEvent, { type: 'turn.started' }>;
    const event = { ...started, prompt: [{ type: 'file' as const, ...list, data: '' }, ...started.prompt] };
    const view = foldEntries(emptyView, [{ seq: 1, at: 1, turnId: turnA, event }]);
    expect(view.items).toMatchObject([{ kind: 'prompt', text: 'Read it', files: [{ ...list, data: '' }] }]);
  });

  it('are read from the lines that a transcript has for them, and only at its end', () => {
    const said = 'Attached file: is a phrase\n\nAttached file: .parley/attachments/list.txt';
    const view = foldEntries(emptyView, [{ at: 1, event: frame('a', [person(said)]) }]);
    expect(view.items).toMatchObject([
      {
        kind: 'prompt',
        text: 'Attached file: is a phrase',
        files: [{ name: 'list.txt', path: '.parley/attachments/list.txt', data: '' }],
      },
    ]);
  });
});
