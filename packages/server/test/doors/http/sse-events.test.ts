// Each session event on the kitchen assistant's wire, pinned literally.
import { noUsage, type SessionEvent } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { toSse } from '../../../src/doors/http/kitchen/events.ts';
import { serverSentEvents } from '../../../src/doors/http/streams/formats.ts';

const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 3, cacheWriteTokens: 2, costUsd: 0.25 };
const ended = { type: 'turn.ended', text: 'Soup.', usage, durationMs: 7 } as const;

const conversation = '8f14e45f-ceea-4e7a-9c5b-1d2f3a4b5c6d';

const onTheWire = (event: SessionEvent): string | undefined => {
  const sse = toSse({ seq: 7, sessionId: conversation, turnId: crypto.randomUUID(), at: 0, event });
  return sse && serverSentEvents.encode(sse);
};

describe('an event of the kitchen assistant', () => {
  it.each<[string, SessionEvent, string]>([
    [
      'chunk for text',
      { type: 'text.delta', text: 'So\nup\u2028' },
      'id: 7\nevent: chunk\ndata: {"text":"So\\nup\u2028"}\n\n',
    ],
    [
      'tool_use when a tool starts',
      { type: 'tool.started', id: 't', tool: 'list_recipes', input: { secret: 1 } },
      'id: 7\nevent: tool_use\ndata: {"tool":"list_recipes","status":"started"}\n\n',
    ],
    [
      'tool_use when it has finished',
      { type: 'tool.ended', id: 't', tool: 'list_recipes', outcome: 'finished' },
      'id: 7\nevent: tool_use\ndata: {"tool":"list_recipes","status":"finished"}\n\n',
    ],
    [
      'tool_use when it has failed',
      { type: 'tool.ended', id: 't', tool: 'list_recipes', outcome: 'failed' },
      'id: 7\nevent: tool_use\ndata: {"tool":"list_recipes","status":"failed"}\n\n',
    ],
    [
      'recipe_artifact for a recipe to show',
      { type: 'artifact', kind: 'recipe', id: 'r-1' },
      'id: 7\nevent: recipe_artifact\ndata: {"recipe_id":"r-1"}\n\n',
    ],
    [
      'notice for a turn that waits for other sessions',
      { type: 'queue.blocked', ahead: 1 },
      'id: 7\nevent: notice\ndata: {"message":"Waiting for other sessions: 1 is ahead of you."}\n\n',
    ],
    [
      'notice for what the person should know',
      { type: 'notice', code: 'trimmed', message: 'Older turns were left out.' },
      'id: 7\nevent: notice\ndata: {"message":"Older turns were left out."}\n\n',
    ],
    [
      'done with the tokens used and the conversation',
      { ...ended, outcome: 'completed' },
      `id: 7\nevent: done\ndata: {"tokens_used":20,"conversation_id":"${conversation}"}\n\n`,
    ],
    [
      'done with a mark when a person stopped it',
      { ...ended, outcome: 'interrupted' },
      `id: 7\nevent: done\ndata: {"tokens_used":20,"conversation_id":"${conversation}","stopped":true}\n\n`,
    ],
    [
      'error with whether trying again can help',
      {
        ...ended,
        outcome: 'failed',
        error: { code: 'unavailable', message: 'The model is overloaded.', recoverable: true },
      },
      'id: 7\nevent: error\ndata: {"message":"The model is overloaded.","recoverable":true}\n\n',
    ],
    [
      'error when the server stopped under it',
      {
        ...ended,
        outcome: 'interrupted',
        error: { code: 'unavailable', message: 'The server stopped.', recoverable: false },
      },
      'id: 7\nevent: error\ndata: {"message":"The server stopped.","recoverable":false}\n\n',
    ],
  ])(
    'is %s [kitchen.sse.chunk] [kitchen.sse.tool-use] [kitchen.sse.done-event] [kitchen.sse.error-event]',
    (_, event, wire) => {
      expect(onTheWire(event)).toBe(wire);
    },
  );

  it.each<SessionEvent>([
    { type: 'turn.started', prompt: [{ type: 'text', text: 'hi' }], door: 'http' },
    { type: 'thinking.delta', text: 'hm' },
    { type: 'message', role: 'assistant', content: [] },
    { type: 'tool.progress', id: 't', tool: 'list_recipes', message: 'half' },
    { type: 'todos', todos: [] },
    { type: 'usage', model: 'm', usage: noUsage },
    { type: 'frame', raw: '{}', means: [] },
    { type: 'queue.changed', prompts: [] },
  ])('is nothing for $type', (event) => {
    expect(onTheWire(event)).toBeUndefined();
  });
});
