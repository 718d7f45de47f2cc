import { ParleyError, type Prompt } from '@parley/protocol';
import { callTool, createGate, reply } from '@parley/stand-ins';
import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../src/domain/tool.ts';
import { filePart } from '../../support/files.ts';
import { Harness, loggerTo, ofType, streamedText, tool, types } from './harness.ts';

const wordSchema = {
  type: 'object',
  properties: { word: { type: 'string' }, count: { type: 'integer' } },
  required: ['word'],
  additionalProperties: false,
};

describe('tool calls', () => {
  it('of one reply run side by side, and their results go back in the order of the calls [notes.chat.parallel-tools]', async () => {
    const both = createGate();
    let running = 0;
    const meet = tool('meet', async (input) => {
      running += 1;
      if (running === 2) both.open();
      await both.opened;
      return { content: `met ${String(input['name'])}` };
    });
    await using harness = await Harness.start({ tools: [meet] });
    harness.api.enqueue(
      reply('Now. ', callTool('meet', { name: 'a' }, 'toolu_a'), callTool('meet', { name: 'b' }, 'toolu_b')),
      reply('Done.'),
    );

    await harness.prompt('Go');

    expect(harness.api.conversations[1]?.body.messages.at(-1)?.content).toMatchObject([
      { type: 'tool_result', tool_use_id: 'toolu_a', content: 'met a' },
      { type: 'tool_result', tool_use_id: 'toolu_b', content: 'met b' },
    ]);
  });

  it('run unchecked when the schema of a foreign tool cannot be read', async () => {
    const schemas = [
      { type: 'object', properties: { name: { type: 'string', pattern: String.raw`^[\w-.]+$` } } },
      { type: 'object', properties: { name: { $ref: '#/$defs/nowhere' } } },
    ];
    const tools = schemas.map((schema, at) =>
      tool(`odd_${at}`, (input) => Promise.resolve({ content: `got ${String(input['name'])}` }), schema),
    );
    await using harness = await Harness.start({ tools });
    harness.api.enqueue(
      reply(callTool('odd_0', { name: 'a' }), callTool('odd_1', { name: 'b' })),
      reply('Done.'),
    );

    await harness.prompt('Go');

    expect(harness.api.conversations[1]?.body.messages.at(-1)?.content).toMatchObject([
      { type: 'tool_result', content: 'got a' },
      { type: 'tool_result', content: 'got b' },
    ]);
  });

  it('are all announced, one after the other, before any of them runs', async () => {
    const log: string[] = [];
    const note = tool('note', (input) => {
      log.push(`run ${String(input['name'])}`);
      return Promise.resolve({ content: 'ok' });
    });
    await using harness = await Harness.start({ tools: [note] });
    harness.api.enqueue(
      reply(callTool('note', { name: 'a' }), callTool('note', { name: 'b' })),
      reply('Done.'),
    );

    await harness.prompt('Go', {
      // The gateway stores an event before it asks for the next one.
      onEvent: async (event) => {
        await new Promise((resolve) => setImmediate(resolve));
        if (event.type === 'tool.started' || event.type === 'message') log.push(`kept ${event.type}`);
      },
    });

    expect(log.slice(0, 6)).toEqual([
      'kept message',
      'kept message',
      'kept tool.started',
      'kept tool.started',
      'run a',
      'run b',
    ]);
  });

  it('wait until their events were handled', async () => {
    const log: string[] = [];
    const show = tool('show', async (_, context) => {
      context.progress('looking');
      await context.emit({ type: 'artifact', kind: 'recipe', id: '7' });
      log.push('went on');
      return { content: 'shown' };
    });
    await using harness = await Harness.start({ tools: [show] });
    harness.api.enqueue(reply(callTool('show', {}, 'toolu_1')), reply('There.'));

    const events = await harness.prompt('Show', {
      onEvent: async (event) => {
        if (event.type !== 'artifact') return;
        await new Promise((resolve) => setImmediate(resolve));
        log.push('artifact is out');
      },
    });

    expect(log).toEqual(['artifact is out', 'went on']);
    expect(types(events).slice(3, 7)).toEqual(['tool.started', 'tool.progress', 'artifact', 'tool.ended']);
    expect(ofType(events, 'tool.progress')).toEqual([
      { type: 'tool.progress', id: 'toolu_1', tool: 'show', message: 'looking' },
    ]);
  });

  it('keep only the newest progress report while an earlier one is being sent', async () => {
    const chatty = tool('chatty', async (_, context) => {
      for (let step = 0; step < 5_000; step += 1) context.progress(`step ${step}`);
      await new Promise((resolve) => setImmediate(resolve));
      return { content: 'ok' };
    });
    await using harness = await Harness.start({ tools: [chatty] });
    harness.api.enqueue(reply(callTool('chatty')), reply('Done.'));

    const progress = ofType(await harness.prompt('Go'), 'tool.progress');

    expect(progress.length).toBeLessThan(10);
    expect(progress.at(-1)?.message).toBe('step 4999');
  });

  it.each([
    ['a missing field', {}, "must have required property 'word'"],
    ['a wrong type', { word: 7 }, '"word" must be string'],
    ['an unknown field', { word: 'a', colour: 'red' }, '"colour" is not a known field'],
  ])(
    'with %s go back as an error, and the tool does not run [notes.tools.bad-input]',
    async (_, input, phrase) => {
      let runs = 0;
      const lookUp = tool(
        'look_up',
        () => {
          runs += 1;
          return Promise.resolve({ content: 'never' });
        },
        wordSchema,
      );
      await using harness = await Harness.start({ tools: [lookUp] });
      harness.api.enqueue(reply(callTool('look_up', input)), reply('Sorry.'));

      const events = await harness.prompt('Go');

      expect(runs).toBe(0);
      expect(ofType(events, 'tool.ended')).toMatchObject([{ outcome: 'failed' }]);
      expect(harness.api.conversations[1]?.body.messages.at(-1)?.content).toMatchObject([
        { is_error: true, content: expect.stringContaining(phrase) },
      ]);
    },
  );

  it.each([
    [
      'a sentence of its own',
      new ParleyError('not_found', 'There is no such note.'),
      'There is no such note.',
    ],
    ['a defect', new Error('ECONNREFUSED 10.0.0.7 password=hunter2'), 'failed with an internal error'],
  ])(
    'that throw %s go back as an error in a sentence, and the turn continues [notes.tools.error-to-model]',
    async (_, error, phrase) => {
      const logged: unknown[] = [];
      await using harness = await Harness.start({
        tools: [tool('fail', () => Promise.reject(error))],
        logger: loggerTo(logged),
      });
      harness.api.enqueue(reply(callTool('fail', {}, 'toolu_1')), reply('I could not find it.'));

      const events = await harness.prompt('Go');

      expect(ofType(events, 'tool.ended')).toMatchObject([
        { id: 'toolu_1', tool: 'fail', outcome: 'failed' },
      ]);
      const [result] = harness.api.conversations[1]?.body.messages.at(-1)?.content ?? [];
      expect(result).toMatchObject({ is_error: true, content: expect.stringContaining(phrase) });
      expect(JSON.stringify(result)).not.toContain('hunter2');
      expect(logged).toHaveLength(error instanceof ParleyError ? 0 : 1);
      expect(streamedText(events)).toBe('I could not find it.');
    },
  );

  it('of an unknown tool return an error', async () => {
    await using harness = await Harness.start();
    harness.api.enqueue(reply(callTool('no_such_tool')), reply('Sorry.'));

    await harness.prompt('Go');

    expect(harness.api.conversations[1]?.body.messages.at(-1)?.content).toMatchObject([
      { is_error: true, content: 'There is no tool named no_such_tool.' },
    ]);
  });

  it('that take too long are stopped', async () => {
    const ended = createGate();
    const slow = tool('slow', (_, { signal }) => {
      signal.addEventListener('abort', () => ended.open());
      return new Promise(() => undefined);
    });
    await using harness = await Harness.start({ tools: [slow], limits: { toolTimeoutMs: 30 } });
    harness.api.enqueue(reply(callTool('slow')), reply('Too slow.'));

    const events = await harness.prompt('Go');
    await ended.opened;

    expect(harness.api.conversations[1]?.body.messages.at(-1)?.content).toMatchObject([
      { is_error: true, content: expect.stringContaining('took longer than 0.03 seconds') },
    ]);
    expect(streamedText(events)).toBe('Too slow.');
  });

  it('use the limit of their tool when it is longer', async () => {
    const slowEnded = createGate();
    const slow = tool('slow', (_, { signal }) => {
      signal.addEventListener('abort', () => slowEnded.open());
      return new Promise(() => undefined);
    });
    const patient = tool('patient', async () => {
      await slowEnded.opened;
      return { content: 'at last' };
    });
    const tools = [slow, { ...patient, timeoutMs: 60_000 }];
    await using harness = await Harness.start({ tools, limits: { toolTimeoutMs: 30 } });
    harness.api.enqueue(reply(callTool('slow'), callTool('patient')), reply('Done.'));

    await harness.prompt('Go');

    expect(harness.api.conversations[1]?.body.messages.at(-1)?.content).toMatchObject([
      { is_error: true },
      { content: 'at last' },
    ]);
  });

  it('do not time out while a person decides', async () => {
    const decided = createGate();
    const ask = tool('ask', async (_, context) => {
      const decision = await context.askPermission({ tool: 'ask', input: {} });
      return { content: decision.behavior };
    });
    await using harness = await Harness.start({ tools: [ask], limits: { toolTimeoutMs: 1_000 } });
    harness.api.enqueue(reply(callTool('ask', {}, 'toolu_9')), reply('Thanks.'));
    const asked: unknown[] = [];

    const turn = harness.prompt('Go', {
      askPermission: async (request) => {
        asked.push(request);
        setTimeout(() => decided.open(), 1_500);
        await decided.opened;
        return { behavior: 'allow', scope: 'once' };
      },
    });
    await turn;

    expect(asked).toEqual([{ tool: 'ask', input: {}, toolUseId: 'toolu_9' }]);
    expect(harness.api.conversations[1]?.body.messages.at(-1)?.content).toMatchObject([{ content: 'allow' }]);
  });

  it('with a result over the cap have it cut with a note [notes.tools.result-cut]', async () => {
    await using harness = await Harness.start({
      tools: [tool('long', () => Promise.resolve({ content: 'ä'.repeat(1_000) }))],
      limits: { toolResultBytes: 101 },
    });
    harness.api.enqueue(reply(callTool('long')), reply('Long.'));

    await harness.prompt('Go');

    expect(harness.api.conversations[1]?.body.messages.at(-1)?.content).toMatchObject([
      {
        content: `${'ä'.repeat(50)}\n\n[The result was cut here: it has 2000 bytes, of which the first 101 are shown.]`,
      },
    ]);
  });

  it('may return pictures with text, as large as the service allows', async () => {
    const image = (data: string) => ({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data },
    });
    const content = [
      { type: 'text', text: 'Two pictures:' },
      image('A'.repeat(1_000_000)),
      image('A'.repeat(5_000_000)),
      { type: 'text', text: ' ' },
      { type: 'text', text: 'That is all.' },
    ];
    await using harness = await Harness.start({
      tools: [tool('pictures', () => Promise.resolve({ content }))],
      limits: { toolResultBytes: 1_000 },
    });
    harness.api.enqueue(reply(callTool('pictures')), reply('Nice.'));

    await harness.prompt('Go');

    expect(harness.api.conversations[1]?.body.messages.at(-1)?.content).toMatchObject([
      {
        content: [
          { type: 'text', text: 'Two pictures:' },
          image('A'.repeat(1_000_000)),
          { type: 'text', text: '[A part of the result was left out: image, 5000000 bytes.]' },
          { type: 'text', text: 'That is all.' },
        ],
      },
    ]);
  });

  it('know whether text from strangers may be in the conversation', async () => {
    const seen: (boolean | undefined)[] = [];
    const look = tool('look', (_, { hasReadOutside }) => {
      seen.push(hasReadOutside);
      return Promise.resolve({ content: 'seen' });
    });
    const answering = (name: string, reads: Tool['reads']) => ({
      ...tool(name, () => Promise.resolve({ content: 'read' })),
      reads,
    });
    await using harness = await Harness.start({
      tools: [look, answering('mine', 'private'), answering('foreign', 'outside')],
    });
    const ask = async (prompt: Prompt | string, ...replies: readonly ReturnType<typeof reply>[]) => {
      harness.api.enqueue(...replies, reply('Done.'));
      await harness.prompt(prompt);
    };
    /** What a call learns in the turn after this one, which starts a conversation. */
    const after = async (prompt: Prompt | string, ...replies: readonly ReturnType<typeof reply>[]) => {
      harness.history = [];
      await ask(prompt, ...replies);
      await ask('Look', reply(callTool('look')));
      return seen.at(-1);
    };

    expect(await after('Read', reply(callTool('mine')))).toBe(false);
    expect(await after('Read', reply(callTool('foreign')))).toBe(true);
    expect(await after('Read', reply(callTool('removed')))).toBe(true);
    expect(await after([filePart('letter.txt', 'Dear all'), { type: 'text', text: 'Read' }])).toBe(true);
    // A summary may hold what was read before it.
    await ask('/compact');
    await ask('Look', reply(callTool('look')));
    expect(seen.at(-1)).toBe(true);
  });

  it('work with schemas of a newer draft', async () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        when: { type: 'string', format: 'date-time' },
        pair: { prefixItems: [{ type: 'string' }] },
      },
    };
    await using harness = await Harness.start({
      tools: [tool('newer', () => Promise.resolve({ content: 'ok' }), schema)],
    });
    harness.api.enqueue(reply(callTool('newer', { when: 'now', pair: ['a'] })), reply('Fine.'));

    const events = await harness.prompt('Go');

    expect(ofType(events, 'tool.ended')).toMatchObject([{ outcome: 'finished' }]);
  });
});
