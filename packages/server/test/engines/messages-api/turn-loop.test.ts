import { callTool, reply, say, wait } from '@parley/stand-ins';
import { describe, expect, it } from 'vitest';
import { Harness, streamedText, tool, types } from './harness.ts';

describe('a turn of the messages-api engine', () => {
  it('passes text on as it arrives and keeps prompt and answer as messages [notes.stream.live]', async () => {
    await using harness = await Harness.start();
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    harness.api.enqueue(reply(say('Hello'), wait(gate), say(', Anna')));

    const events = await harness.prompt('Hi', {
      onEvent: (event) => {
        if (event.type === 'text.delta') open();
      },
    });

    expect(types(events)).toEqual(['message', 'text.delta', 'text.delta', 'message', 'usage']);
    expect(streamedText(events)).toBe('Hello, Anna');
    expect(harness.history).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Hello, Anna' }] },
    ]);
  });

  it('runs tools and gives their results back until the model has answered [notes.chat.tool-loop, notes.chat.final-text]', async () => {
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
    expect(types(events)).toEqual([
      'message',
      'text.delta',
      'message',
      'usage',
      'tool.started',
      'tool.ended',
      'message',
      'message',
      'usage',
      'tool.started',
      'tool.ended',
      'message',
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
});
