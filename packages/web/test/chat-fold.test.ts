// How events become a conversation on the page.
import type { Envelope, SessionEvent } from '@parley/protocol';
import { noUsage } from '@parley/protocol';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  answerText,
  type Conversation,
  emptyConversation,
  runningTurn,
} from '../src/chat/model/conversation.ts';
import { foldConversation } from '../src/chat/model/fold-conversation.ts';
import { openingOf, type SessionDetail, withoutEvents } from '../src/chat/model/opening.ts';

const sessionId = '11111111-1111-4111-8111-111111111111';
const turnA = '22222222-2222-4222-8222-222222222222';
const turnB = '33333333-3333-4333-8333-333333333333';
const permission = '44444444-4444-4444-8444-444444444444';
const usage = { ...noUsage, inputTokens: 10, outputTokens: 5, costUsd: 0.01 };

const say = (text: string): SessionEvent => ({ type: 'text.delta', text });
const start = (text: string): SessionEvent => ({
  type: 'turn.started',
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

describe('a folded conversation', () => {
  it('shows what was said and done, in its order', () => {
    const conversation = fold([
      [turnA, start('Show me the soup')],
      [turnA, say('Let me ')],
      [turnA, say('look.')],
      [
        turnA,
        {
          type: 'message',
          role: 'assistant',
          content: [
            { type: 'text', text: 'Let me look.' },
            { type: 'tool_use', id: 'use1', name: 'display_recipe', input: {} },
          ],
        },
      ],
      [turnA, { type: 'tool.started', id: 'use1', tool: 'display_recipe', input: { title: 'Soup' } }],
      [turnA, { type: 'artifact', kind: 'recipe', id: 'soup' }],
      [turnA, { type: 'tool.ended', id: 'use1', tool: 'display_recipe', outcome: 'finished' }],
      [
        turnA,
        {
          type: 'message',
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'use1', content: [{ type: 'text', text: 'shown' }] }],
        },
      ],
      [turnA, say('Here it is.')],
      [turnA, { type: 'usage', model: 'claude-x', usage }],
      [turnA, end('Here it is.')],
    ]);
    const [turn] = conversation.turns;
    expect(turn).toMatchObject({
      prompt: { text: 'Show me the soup', images: 0 },
      status: 'completed',
      model: 'claude-x',
      usage,
      parts: [
        { kind: 'text', text: 'Let me look.' },
        { kind: 'tool', tool: 'display_recipe', outcome: 'finished', result: 'shown' },
        { kind: 'recipe', id: 'soup' },
        { kind: 'text', text: 'Here it is.' },
      ],
    });
    expect(conversation.recipe).toEqual({ id: 'soup', seq: 6 });
    expect(turn && answerText(turn)).toBe('Let me look.\n\nHere it is.');
    expect(runningTurn(conversation)).toBeUndefined();
  });

  it('believes the whole message where its pieces say something else', () => {
    const { turns } = fold([
      [turnA, start('Hi')],
      [turnA, say('Hel')],
      [turnA, { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Hello' }] }],
      [turnA, say('More')],
    ]);
    expect(turns[0]?.parts).toEqual([
      { kind: 'text', text: 'Hello' },
      { kind: 'text', text: 'More' },
    ]);
  });

  it('keeps the waiting messages, and takes one out when its turn begins', () => {
    const waiting: [undefined, SessionEvent] = [
      undefined,
      {
        type: 'queue.changed',
        prompts: [{ turnId: turnB, prompt: [{ type: 'text', text: 'Next' }], queuedAt: 1 }],
      },
    ];
    const before = fold([[turnA, start('First')], waiting]);
    expect(before.queue).toEqual([{ turnId: turnB, prompt: { text: 'Next', images: 0 } }]);
    const after = fold([[turnA, start('First')], waiting, [turnA, end('')], [turnB, start('Next')]]);
    expect(after.queue).toEqual([]);
    expect(runningTurn(after)?.id).toBe(turnB);
  });

  it('shows a permission until it is settled, and why it was', () => {
    const asked: [string, SessionEvent] = [
      turnA,
      { type: 'permission.asked', id: permission, request: { tool: 'linkedin_post', input: { text: 'Hi' } } },
    ];
    expect(fold([[turnA, start('Post')], asked]).turns[0]?.parts[0]).toMatchObject({ settled: undefined });
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
    expect(settled.turns[0]?.parts[0]).toMatchObject({ settled: { behavior: 'deny', reason: 'turn-ended' } });
  });

  it('leaves no tool at work when its turn has ended', () => {
    const { turns } = fold([
      [turnA, start('Hi')],
      [turnA, { type: 'tool.started', id: 'use1', tool: 'read_file', input: {} }],
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
    expect(turns[0]).toMatchObject({
      status: 'interrupted',
      parts: [{ outcome: 'failed' }],
      error: { message: 'The server stopped.' },
    });
  });

  it('is the same from whatever number a reader comes back [kitchen.ui.reconnect]', () => {
    const kinds = fc.oneof(
      fc.string({ maxLength: 5 }).map(say),
      fc.string({ maxLength: 5 }).map((text): SessionEvent => ({ type: 'thinking.delta', text })),
      fc
        .string({ maxLength: 5 })
        .map(
          (text): SessionEvent => ({ type: 'message', role: 'assistant', content: [{ type: 'text', text }] }),
        ),
      fc
        .constantFrom('use1', 'use2')
        .map((id): SessionEvent => ({ type: 'tool.started', id, tool: 'read_file', input: {} })),
      fc
        .constantFrom('use1', 'use2')
        .map((id): SessionEvent => ({ type: 'tool.ended', id, tool: 'read_file', outcome: 'finished' })),
      fc.constant<SessionEvent>({ type: 'artifact', kind: 'recipe', id: 'soup' }),
      fc.constant<SessionEvent>({ type: 'usage', model: 'claude-x', usage }),
      fc.constant(start('again')),
      fc.constant(end('done')),
    );
    const events = fc.array(fc.tuple(fc.constantFrom(turnA, turnB), kinds), { maxLength: 40 });
    fc.assert(
      fc.property(events, fc.nat(40), fc.nat(40), (log, left, overlap) => {
        const all = numbered(log);
        const seen = Math.min(left, all.length);
        const from = Math.max(0, seen - overlap);
        const resumed = [...all.slice(0, seen), ...all.slice(from)].reduce(
          foldConversation,
          emptyConversation,
        );
        expect(resumed).toEqual(all.reduce(foldConversation, emptyConversation));
      }),
    );
  });
});

describe('opening a conversation', () => {
  const kept = (id: string, after: number) => ({
    id,
    status: 'completed',
    prompt: { text: `ask ${after}`, images: ['image/png'] },
    text: `answer ${after}`,
    usage,
    after,
    queuedAt: 1,
  });
  const detail: SessionDetail = {
    session: {
      id: sessionId,
      person: 'petra',
      engine: 'messages-api',
      assistant: 'notes',
      title: '',
      createdAt: 1,
      updatedAt: 1,
      settings: {},
    },
    turns: [kept(turnA, 0), kept(turnB, 900)],
    running: null,
    queue: [],
    lastSeq: 1_000,
  };

  it('reads the newest turns event by event, and those before as they were kept', () => {
    expect(openingOf(detail)).toMatchObject({ seq: 0, turns: [] });
    expect(openingOf(detail, 500)).toMatchObject({
      seq: 900,
      turns: [{ id: turnA, prompt: { images: 1 }, parts: [{ kind: 'text', text: 'answer 0' }] }],
    });
  });

  it('reads at least the last turn event by event, as it may still run', () => {
    expect(openingOf(detail, 10)).toMatchObject({ seq: 900, turns: [{ id: turnA }] });
    expect(openingOf({ ...detail, turns: [] })).toMatchObject({ seq: 1_000, turns: [] });
  });

  it('takes everything as it was kept where the server has forgotten the events', () => {
    expect(withoutEvents(detail)).toMatchObject({ seq: 1_000, turns: [{ id: turnA }, { id: turnB }] });
  });
});

type Step = readonly [string | undefined, SessionEvent];

function fold(steps: readonly Step[]): Conversation {
  return numbered(steps).reduce(foldConversation, emptyConversation);
}

function numbered(steps: readonly Step[]): Envelope[] {
  return steps.map(([turnId, event], at) => ({
    seq: at + 1,
    sessionId,
    ...(turnId !== undefined && { turnId }),
    at: 1_000 + at,
    event,
  }));
}
