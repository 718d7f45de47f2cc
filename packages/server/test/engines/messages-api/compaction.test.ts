// Compacting a conversation, and what fills its context.
import { callTool, httpError, reply } from '@parley/stand-ins';
import { describe, expect, it } from 'vitest';
import { filePart } from '../../support/files.ts';
import { Harness, ofType, recentOf, tool } from './harness.ts';

const sent = (harness: Harness, at = -1) =>
  (harness.api.requests.at(at)?.body.messages ?? []).map(({ content }) => JSON.stringify(content));

describe('/compact', () => {
  it('asks for a summary without tools, and later turns get it in place of what was said before [app.context.compact]', async () => {
    await using harness = await Harness.start({
      tools: [tool('look', () => Promise.resolve({ content: 'x' }))],
    });
    harness.api.enqueue(reply('Figs.'), reply('They like figs.'), reply('Figs, again.'));
    await harness.prompt('What fruit?');
    const events = await harness.prompt('/compact keep the fruit');
    expect(sent(harness).join()).toContain('What fruit?');
    expect(sent(harness).at(-1)).toContain('Summarize our conversation so far');
    expect(sent(harness).at(-1)).toContain('special attention to this: keep the fruit');
    expect(harness.api.requests.at(-1)?.body).toMatchObject({ tool_choice: { type: 'none' } });
    expect(ofType(events, 'notice')).toMatchObject([{ code: 'compacted' }]);
    expect(ofType(events, 'message')[0]?.content).toEqual([
      { type: 'text', text: '/compact keep the fruit' },
    ]);

    await harness.prompt('Which fruit was it?');
    expect(sent(harness)).toEqual(
      ['They like figs.', 'I continue from this summary.', 'Which fruit'].map((words) =>
        expect.stringContaining(words),
      ),
    );
  });

  it('leaves everything as it is when it fails [app.context.compact]', async () => {
    await using harness = await Harness.start();
    harness.api.enqueue(reply('Figs.'), httpError(400, 'invalid_request_error', 'no'), reply('Still figs.'));
    await harness.prompt('What fruit?');
    const events = await harness.prompt('/compact');
    expect(ofType(events, 'notice')).toEqual([]);
    expect(ofType(events, 'failed')).toHaveLength(1);
    harness.history.splice(2);
    await harness.prompt('Which fruit was it?');
    expect(sent(harness).join()).toContain('What fruit?');
  });

  it('has nothing to do in a new conversation', async () => {
    await using harness = await Harness.start();
    const events = await harness.prompt('/compact');
    expect(ofType(events, 'failed')[0]?.message).toBe('There is nothing to compact yet.');
    expect(harness.api.requests).toEqual([]);
  });
});

describe('the context', () => {
  const session = (harness: Harness) =>
    ({
      id: harness.sessionId,
      person: 'anna',
      engine: 'messages-api',
      assistant: 'notes',
      title: '',
      settings: {},
      createdAt: 0,
      updatedAt: 0,
    }) as const;

  it('is shown by its parts, the largest first [app.context.parts]', async () => {
    await using harness = await Harness.start({
      tools: [tool('look', () => Promise.resolve({ content: 'x'.repeat(4_000) }))],
    });
    harness.api.enqueue(reply(callTool('look')), reply('Seen.'));
    await harness.prompt([filePart('long.txt', 'word '.repeat(4_000)), { type: 'text', text: 'Look' }]);
    const use = await harness.engine.context?.(session(harness), async (isWanted) =>
      recentOf(harness.history, isWanted),
    );
    expect(use?.window).toBe(200_000);
    expect(use?.parts[0]).toMatchObject({ id: 'files' });
    expect(use?.parts.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['files', 'tool_results', 'system_prompt', 'tools', 'messages']),
    );
    expect(use?.tokens).toBe(use?.parts.reduce((sum, { tokens }) => sum + tokens, 0));
    expect(use?.tools).toMatchObject([{ name: 'look' }]);
  });

  it('is reported with an answer once most of it is used [app.context.warning]', async () => {
    await using harness = await Harness.start({ limits: { contextTokens: 20_000, maxReplyTokens: 500 } });
    harness.api.enqueue(reply('Short.'), reply('Long.'));
    expect(ofType(await harness.prompt('Hi'), 'context')).toEqual([]);
    const events = await harness.prompt('word '.repeat(12_000));
    expect(ofType(events, 'context')).toMatchObject([{ window: 20_000 }]);
    expect(ofType(events, 'context')[0]?.tokens).toBeGreaterThan(12_000);
  });
});
