import { callTool, createGate, overloaded, rateLimited, reply, say, stall } from '@parley/stand-ins';
import { describe, expect, it } from 'vitest';
import { Harness, ofType, streamedText, tool, types } from './harness.ts';

describe('an interrupt', () => {
  it('stops the request, keeps what was said, and the session continues [notes.session.interrupt]', async () => {
    await using harness = await Harness.start();
    harness.api.enqueue(reply(say('Once upon a time'), stall()), reply('Hello again.'));
    const interrupt = new AbortController();

    const events = await harness.prompt('Tell a story', {
      signal: interrupt.signal,
      onEvent: (event) => {
        if (event.type === 'text.delta') interrupt.abort();
      },
    });
    const next = await harness.prompt('Hello?');

    expect(types(events)).toEqual(['message', 'text.delta', 'message', 'usage']);
    expect(harness.history[1]).toEqual({
      role: 'assistant',
      content: [{ type: 'text', text: 'Once upon a time' }],
    });
    expect(harness.api.conversations[0]?.outcome).toBe('left');
    expect(streamedText(next)).toBe('Hello again.');
  });

  it('before the first token leaves only the prompt', async () => {
    await using harness = await Harness.start();
    harness.api.enqueue(reply(stall()));
    const interrupt = new AbortController();
    void harness.api.waitForRequest().then(() => interrupt.abort());

    const events = await harness.prompt('Hi', { signal: interrupt.signal });

    expect(ofType(events, 'message')).toHaveLength(1);
    expect(ofType(events, 'failed')).toEqual([]);
  });

  it('before the turn starts sends nothing to the model', async () => {
    await using harness = await Harness.start();

    const events = await harness.prompt('Hi', { signal: AbortSignal.abort() });

    expect(types(events)).toEqual(['message']);
    expect(harness.api.requests).toEqual([]);
  });

  it('stops running tools, and every call gets a result that later turns can be sent with [notes.session.interrupt]', async () => {
    const started = createGate();
    const stopped = createGate();
    const quick = tool('quick', () => Promise.resolve({ content: 'quick is done' }));
    const slow = tool('slow', (_, { signal }) => {
      started.open();
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          stopped.open();
          reject(signal.reason as Error);
        });
      });
    });
    const deaf = tool('deaf', () => new Promise(() => undefined));
    await using harness = await Harness.start({ tools: [quick, slow, deaf] });
    harness.api.enqueue(
      reply(
        callTool('quick', {}, 'toolu_1'),
        callTool('slow', {}, 'toolu_2'),
        callTool('deaf', {}, 'toolu_3'),
      ),
      reply('Where were we?'),
    );
    const interrupt = new AbortController();
    const quickEnded = createGate();
    void Promise.all([started.opened, quickEnded.opened]).then(() => interrupt.abort());

    const events = await harness.prompt('Go', {
      signal: interrupt.signal,
      onEvent: (event) => {
        if (event.type === 'tool.ended' && event.tool === 'quick') quickEnded.open();
      },
    });
    await stopped.opened;
    const next = await harness.prompt('Hello?');

    expect(
      ofType(events, 'tool.ended').map(({ tool, outcome, stopped }) => [tool, outcome, stopped]),
    ).toEqual([
      ['quick', 'finished', undefined],
      ['slow', 'failed', true],
      ['deaf', 'failed', true],
    ]);
    expect(harness.history[2]?.content).toMatchObject([
      { tool_use_id: 'toolu_1', content: 'quick is done' },
      { tool_use_id: 'toolu_2', is_error: true, content: expect.stringContaining('interrupted') },
      { tool_use_id: 'toolu_3', is_error: true, content: expect.stringContaining('interrupted') },
    ]);
    expect(types(events).at(-1)).toBe('message');
    expect(streamedText(next)).toBe('Where were we?');
  });

  it('between reply and tools runs none of them', async () => {
    let runs = 0;
    const note = tool('note', () => {
      runs += 1;
      return Promise.resolve({ content: 'ok' });
    });
    await using harness = await Harness.start({ tools: [note] });
    harness.api.enqueue(reply(callTool('note')), reply('Hello.'));
    const interrupt = new AbortController();

    const events = await harness.prompt('Go', {
      signal: interrupt.signal,
      onEvent: (event) => {
        if (event.type === 'usage') interrupt.abort();
      },
    });
    await harness.prompt('Hello?');

    expect(runs).toBe(0);
    expect(types(events)).toEqual(['message', 'message', 'usage', 'message']);
  });

  it.each([
    ['a growing pause', overloaded()],
    ['the time that the service named', rateLimited(30)],
  ])('ends %s before a retry', async (_, failure) => {
    await using harness = await Harness.start({ limits: { firstPauseMs: 30_000, longestPauseMs: 30_000 } });
    harness.api.enqueue(failure);
    const interrupt = new AbortController();

    const events = await harness.prompt('Hi', {
      signal: interrupt.signal,
      onEvent: (event) => {
        if (event.type === 'notice') interrupt.abort();
      },
    });

    expect(types(events)).toEqual(['message', 'notice']);
    expect(harness.api.requests).toHaveLength(1);
  });
});

describe('a reader that leaves', () => {
  it('ends the running tools', async () => {
    const stopped = createGate();
    const slow = tool('slow', (_, context) => {
      context.signal.addEventListener('abort', () => stopped.open());
      context.progress('on my way');
      return new Promise(() => undefined);
    });
    await using harness = await Harness.start({ tools: [slow] });
    harness.api.enqueue(reply(callTool('slow')));

    const turn = harness.prompt('Go', {
      onEvent: (event) => {
        if (event.type === 'tool.progress') throw new Error('the reader left');
      },
    });

    await expect(turn).rejects.toThrow('the reader left');
    await stopped.opened;
  });

  it('ends the request', async () => {
    await using harness = await Harness.start();
    harness.api.enqueue(reply(say('Once'), stall()));

    const turn = harness.prompt('Go', {
      onEvent: (event) => {
        if (event.type === 'text.delta') throw new Error('the reader left');
      },
    });

    await expect(turn).rejects.toThrow('the reader left');
    await expect.poll(() => harness.api.conversations[0]?.outcome).toBe('left');
  });
});
