import { callTool, createGate, httpError, reply, say, think, wait, withOptions } from '@parley/stand-ins';
import { describe, expect, it } from 'vitest';
import { Harness, loggerTo, ofType, streamedText, tool, types } from './harness.ts';

const echo = tool('echo', (input) => Promise.resolve({ content: `echo ${JSON.stringify(input)}` }));

describe('a turn of the messages-api engine', () => {
  it('passes text on as it arrives and stores prompt and answer as messages [notes.stream.live]', async () => {
    await using harness = await Harness.start();
    const gate = createGate();
    harness.api.enqueue(reply(say('Hello'), wait(gate.opened), say(', Anna')));

    const events = await harness.prompt('Hi', {
      onEvent: (event) => {
        if (event.type === 'text.delta') gate.open();
      },
    });

    expect(types(events)).toEqual(['message', 'text.delta', 'text.delta', 'message', 'usage']);
    expect(streamedText(events)).toBe('Hello, Anna');
    expect(harness.history).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Hello, Anna' }] },
    ]);
  });

  it('runs tools and returns their results until the model has answered [notes.chat.tool-loop, notes.chat.final-text]', async () => {
    const seen: unknown[] = [];
    const lookUp = tool('look_up', (input) => {
      seen.push(input);
      return Promise.resolve({ content: `${String(input['word'])} is a fruit` });
    });
    await using harness = await Harness.start({ tools: [lookUp] });
    harness.api.enqueue(
      reply('Let me look. ', callTool('look_up', { word: 'apple' }, 'toolu_1')),
      reply(callTool('look_up', { word: 'pear' }, 'toolu_2')),
      reply('Both are fruits.'),
    );

    const events = await harness.prompt('What are apples and pears?');

    expect(seen).toEqual([{ word: 'apple' }, { word: 'pear' }]);
    const round = ['message', 'usage', 'tool.started', 'tool.ended', 'message'];
    expect(types(events)).toEqual([
      'message',
      'text.delta',
      ...round,
      ...round,
      'text.delta',
      'message',
      'usage',
    ]);
    expect(harness.history.at(-1)).toEqual({
      role: 'assistant',
      content: [{ type: 'text', text: 'Both are fruits.' }],
    });
    expect(harness.api.conversations[2]?.body.messages.at(-1)).toMatchObject({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_2', content: 'pear is a fruit' }],
    });
  });

  it('offers each tool with name, description and schema, and the prompt of the assistant [notes.tools.schema]', async () => {
    const schema = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] };
    await using harness = await Harness.start({
      tools: [{ ...echo, name: 'look_up', description: 'The tool look_up.', inputSchema: schema }],
    });
    harness.api.enqueue(reply('Hello.'));

    await harness.prompt('Hi');

    expect(harness.api.conversations[0]?.body).toMatchObject({
      model: 'claude-sonnet-5-5',
      system: [{ type: 'text', text: 'You look after notes.' }],
      tools: [{ name: 'look_up', description: 'The tool look_up.', input_schema: schema }],
    });
  });

  it('reports tokens and cost of every model call, and nothing for a model without a known price', async () => {
    const usage = {
      input_tokens: 1_000,
      output_tokens: 100,
      cache_read_input_tokens: 2_000,
      cache_creation_input_tokens: 400,
    };
    await using harness = await Harness.start({ tools: [echo] });
    harness.api.enqueue(
      withOptions(reply(callTool('echo')), { usage, model: 'claude-sonnet-5-5' }),
      withOptions(reply('Done.'), { usage, model: 'claude-unheard-of' }),
    );

    const events = await harness.prompt('Go');

    const counts = { inputTokens: 1_000, outputTokens: 100, cacheReadTokens: 2_000, cacheWriteTokens: 400 };
    const cost = (1_000 * 2 + 2_000 * 0.1 + 400 * 2.5 + 100 * 10) / 1_000_000;
    expect(ofType(events, 'usage')).toEqual([
      { type: 'usage', model: 'claude-sonnet-5-5', usage: { ...counts, costUsd: expect.closeTo(cost, 10) } },
      { type: 'usage', model: 'claude-unheard-of', usage: { ...counts, costUsd: 0 } },
    ]);
  });

  it('shows thinking apart from text and stores it with its signature', async () => {
    await using harness = await Harness.start();
    harness.api.enqueue(reply(think('Let me ', 'see.'), 'Four.'));

    const events = await harness.prompt('2 + 2?');

    expect(
      ofType(events, 'thinking.delta')
        .map(({ text }) => text)
        .join(''),
    ).toBe('Let me see.');
    expect(streamedText(events)).toBe('Four.');
    expect(harness.history.at(-1)?.content).toEqual([
      { type: 'thinking', thinking: 'Let me see.', signature: expect.stringMatching(/.+/) },
      { type: 'text', text: 'Four.' },
    ]);
  });

  it('sends thinking back within the turn and leaves it out of later turns', async () => {
    await using harness = await Harness.start({ tools: [echo] });
    harness.api.enqueue(
      reply(think('Hm.'), callTool('echo', {}, 'toolu_1')),
      reply('Done.'),
      reply('Welcome.'),
    );

    await harness.prompt('Go');
    await harness.prompt('Thanks');

    const blocks = (request: number) =>
      harness.api.conversations[request]?.body.messages.flatMap(({ content }) =>
        typeof content === 'string' ? ['string'] : content.map(({ type }) => type),
      );
    expect(blocks(1)).toEqual(['text', 'thinking', 'tool_use', 'tool_result']);
    expect(blocks(2)).toEqual(['text', 'tool_use', 'tool_result', 'text', 'text']);
  });

  it('does not send back text without a visible character', async () => {
    await using harness = await Harness.start({ tools: [echo] });
    harness.api.enqueue(reply(say('\n\n'), callTool('echo', {}, 'toolu_1')), reply('Done.'));

    const events = await harness.prompt('Go');

    expect(streamedText(events)).toBe('\n\nDone.');
    expect(harness.api.conversations[1]?.body.messages[1]?.content).toMatchObject([{ type: 'tool_use' }]);
  });

  it('sends images as image blocks', async () => {
    await using harness = await Harness.start();
    harness.api.enqueue(reply('A dot.'));

    await harness.prompt([
      { type: 'image', mediaType: 'image/png', data: 'aGk=' },
      { type: 'text', text: 'What is this?' },
    ]);

    const content = [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
      { type: 'text', text: 'What is this?' },
    ];
    expect(harness.history[0]).toEqual({ role: 'user', content });
    expect(harness.api.conversations[0]?.body.messages[0]).toMatchObject({ role: 'user', content });
  });

  it('uses the model that the session has chosen', async () => {
    await using harness = await Harness.start();
    harness.api.enqueue(reply('Hi.'));

    await harness.prompt('Hi', { settings: { model: 'claude-opus-5-5' } });

    expect(harness.api.conversations[0]?.body.model).toBe('claude-opus-5-5');
  });

  it('asks for visible thinking when configured', async () => {
    await using harness = await Harness.start({ thinkingDisplay: 'summarized' });
    harness.api.enqueue(reply('Hi.'));

    await harness.prompt('Hi');

    expect(harness.api.conversations[0]?.body).toMatchObject({
      thinking: { type: 'adaptive', display: 'summarized' },
    });
  });
});

describe('the end of a turn', () => {
  it('comes after the last allowed round of tools, with an answer without tools [notes.chat.tool-limit]', async () => {
    await using harness = await Harness.start({ tools: [echo], limits: { maxToolIterations: 3 } });
    harness.api.enqueue(
      reply(callTool('echo')),
      reply(callTool('echo')),
      reply(callTool('echo')),
      reply('This is what I found.'),
    );

    const events = await harness.prompt('Go on for ever');

    expect(ofType(events, 'tool.ended')).toHaveLength(3);
    expect(ofType(events, 'notice')).toMatchObject([{ code: 'tool-limit' }]);
    expect(
      harness.api.conversations.map(({ body }) => (body as { tool_choice?: unknown }).tool_choice),
    ).toEqual([undefined, undefined, undefined, { type: 'none' }]);
    expect(streamedText(events)).toBe('This is what I found.');
  });

  it('has a text even when the model only calls tools, and the session continues [notes.chat.tool-limit]', async () => {
    await using harness = await Harness.start({ tools: [echo], limits: { maxToolIterations: 1 } });
    harness.api.enqueue(reply(callTool('echo')), reply(callTool('echo')), reply('Hello again.'));

    const events = await harness.prompt('Go');
    const next = await harness.prompt('Hello?');

    expect(streamedText(events)).toContain('used all the tool calls');
    expect(ofType(events, 'tool.started')).toHaveLength(1);
    expect(streamedText(next)).toBe('Hello again.');
  });

  it('says when the answer was cut at its length limit', async () => {
    await using harness = await Harness.start();
    harness.api.enqueue(withOptions(reply('Once upon'), { stopReason: 'max_tokens' }));

    const events = await harness.prompt('Tell a story');

    expect(ofType(events, 'notice')).toMatchObject([{ code: 'reply-cut' }]);
    expect(harness.history.at(-1)?.content).toEqual([{ type: 'text', text: 'Once upon' }]);
  });

  it('does not run a call that was cut by the length limit, and says so to the model', async () => {
    const ran: unknown[] = [];
    const note = tool('note', (input) => {
      ran.push(input);
      return Promise.resolve({ content: 'noted' });
    });
    await using harness = await Harness.start({ tools: [note] });
    harness.api.enqueue(
      withOptions(
        reply(callTool('note', { text: 'a' }, 'toolu_1'), callTool('note', { text: 'b' }, 'toolu_2')),
        {
          stopReason: 'max_tokens',
        },
      ),
      reply('Sorry.'),
    );

    await harness.prompt('Write');

    expect(ran).toEqual([{ text: 'a' }]);
    expect(harness.api.conversations[1]?.body.messages.at(-1)?.content).toMatchObject([
      { tool_use_id: 'toolu_1', content: 'noted' },
      { tool_use_id: 'toolu_2', is_error: true, content: expect.stringContaining('length limit') },
    ]);
  });

  it('says when the model declines', async () => {
    await using harness = await Harness.start();
    harness.api.enqueue(withOptions(reply(), { stopReason: 'refusal' }), reply('Sure.'));

    const events = await harness.prompt('Something bad');
    const next = await harness.prompt('Something good');

    expect(ofType(events, 'notice')).toMatchObject([{ code: 'refused' }]);
    expect(streamedText(events)).toBe('I cannot help with this request.');
    expect(streamedText(next)).toBe('Sure.');
  });

  it('continues a paused reply', async () => {
    await using harness = await Harness.start();
    harness.api.enqueue(withOptions(reply('First. '), { stopReason: 'pause_turn' }), reply('Second.'));

    const events = await harness.prompt('Search');

    expect(streamedText(events)).toBe('First. Second.');
    expect(harness.api.conversations[1]?.body.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
    ]);
  });

  it('has a text when the model writes none', async () => {
    await using harness = await Harness.start();
    harness.api.enqueue(reply());

    expect(streamedText(await harness.prompt('Hi'))).toBe('I have nothing to add.');
  });
});

describe('a turn that cannot start', () => {
  it('says what to set when there is no API key', async () => {
    await using harness = await Harness.start({ apiKey: undefined });

    const events = await harness.prompt('Hi');

    expect(events).toEqual([
      { type: 'message', role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      {
        type: 'failed',
        code: 'unavailable',
        recoverable: false,
        message: expect.stringContaining('ANTHROPIC_API_KEY'),
      },
    ]);
    expect(harness.api.requests).toEqual([]);
  });

  it('says that the message is empty', async () => {
    await using harness = await Harness.start();

    expect(await harness.prompt('  ')).toMatchObject([{ type: 'failed', code: 'invalid' }]);
  });

  it('says that there is no such assistant', async () => {
    await using harness = await Harness.start({ assistants: new Map() });

    expect(await harness.prompt('Hi')).toMatchObject([{ type: 'failed', code: 'not_found' }]);
  });

  it('works without the tools of a source that cannot list them', async () => {
    const broken = {
      name: 'test',
      tools: () => Promise.reject(new Error('down')),
      close: () => Promise.resolve(),
    };
    await using harness = await Harness.start({ toolSources: new Map([['test', broken]]) });
    harness.api.enqueue(reply('Without tools then.'));

    expect(streamedText(await harness.prompt('Hi'))).toBe('Without tools then.');
  });

  it('hides details of the service from the person and the key from the log', async () => {
    const logged: unknown[] = [];
    await using harness = await Harness.start({ logger: loggerTo(logged) });
    harness.api.enqueue(httpError(400, 'invalid_request_error', 'messages.0: sk-test-secret-key is odd'));

    const [, failed] = await harness.prompt('Hi');

    expect(failed).toMatchObject({ type: 'failed', code: 'invalid', recoverable: false });
    expect(JSON.stringify(failed)).not.toContain('odd');
    expect(logged).toMatchObject([
      { problem: 'refused', status: 400, reason: 'messages.0: [the API key] is odd' },
    ]);
  });
});
