import { callTool, type RecordedRequest, reply } from '@parley/stand-ins';
import { describe, expect, it } from 'vitest';
import { Harness, ofType, tool } from './harness.ts';

const echo = tool('echo', () => Promise.resolve({ content: 'echo '.repeat(100) }));
const other = tool('other', () => Promise.resolve({ content: 'other' }));

describe('the prompt cache', () => {
  it('is marked at the end of tools, system, prompt and history, never more than four times [notes.chat.prompt-caching]', async () => {
    await using harness = await Harness.start({ tools: [other, echo] });
    harness.api.enqueue(reply(callTool('echo')), reply(callTool('echo')), reply('Done.'), reply('Again.'));

    await harness.prompt('Go');
    await harness.prompt('Again');

    expect(harness.api.conversations.map(marksOf)).toEqual([
      ['tools.1', 'system.0', 'messages.0.0'],
      ['tools.1', 'system.0', 'messages.0.0', 'messages.2.0'],
      ['tools.1', 'system.0', 'messages.0.0', 'messages.4.0'],
      ['tools.1', 'system.0', 'messages.6.0'],
    ]);
  });

  it('is used in each round of tools and in the next turn', async () => {
    await using harness = await Harness.start({
      tools: [echo],
      assistant: { systemPrompt: 'Long rules. '.repeat(100) },
    });
    harness.api.enqueue(reply(callTool('echo')), reply('Done.'), reply('Again.'));

    const usages = [
      ...ofType(await harness.prompt('Go'), 'usage'),
      ...ofType(await harness.prompt('Again'), 'usage'),
    ];
    const [first, second, third] = usages.map(({ usage }) => usage);

    expect(first).toMatchObject({ cacheReadTokens: 0 });
    expect(second?.cacheReadTokens).toBe(first?.cacheWriteTokens);
    expect(third?.cacheReadTokens).toBeGreaterThanOrEqual(300);
  });

  it('leaves no marks in stored messages', async () => {
    await using harness = await Harness.start({ tools: [echo] });
    harness.api.enqueue(reply(callTool('echo')), reply('Done.'));

    await harness.prompt('Go');

    expect(JSON.stringify(harness.history)).not.toContain('cache_control');
  });

  it('is not affected by the reminder', async () => {
    await using harness = await Harness.start({
      tools: [echo],
      assistant: { reminder: { fromMessage: 1, text: 'Remember.' } },
    });
    harness.api.enqueue(reply('Hi.'));

    await harness.prompt('Go');

    expect(marksOf(harness.api.conversations[0])).toEqual(['tools.0', 'system.0', 'messages.0.0']);
    expect(harness.api.conversations[0]?.body.messages[0]?.content).toMatchObject([
      { text: 'Go' },
      { text: 'Remember.' },
    ]);
  });
});

function marksOf(request: RecordedRequest | undefined): string[] {
  const { tools = [], system = [], messages = [] } = request?.body ?? {};
  const marked = (blocks: unknown): number[] =>
    Array.isArray(blocks)
      ? blocks.flatMap((block: object, at) => ('cache_control' in block ? [at] : []))
      : [];
  return [
    ...marked(tools).map((at) => `tools.${at}`),
    ...marked(system).map((at) => `system.${at}`),
    ...messages.flatMap(({ content }, message) => marked(content).map((at) => `messages.${message}.${at}`)),
  ];
}
