import type { ContentBlock, Message } from '@parley/protocol';
import { callTool, httpError, reply, think } from '@parley/stand-ins';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Conversation, fitsRequest } from '../../../src/engines/messages-api/conversation.ts';
import { estimateMessage, turnsToLeaveOut } from '../../../src/engines/messages-api/trimming.ts';
import { Harness, ofType, recentOf, streamedText, tool } from './harness.ts';

/** A turn of about this many tokens, with a tool call. */
function longTurn(number: number, tokens: number): Message[] {
  const words = (label: string, share: number): string => `${label} ${number} ${'x'.repeat(share * 4)}`;
  return [
    { role: 'user', content: [{ type: 'text', text: words('prompt', tokens * 0.2) }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: `toolu_${number}`, name: 'look', input: {} }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: `toolu_${number}`, content: words('result', tokens * 0.6) },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: words('answer', tokens * 0.2) }] },
  ];
}

function pictureTurn(number: number, bytes: number): Message[] {
  const data = 'A'.repeat(bytes);
  const text = `picture ${number} `;
  return [
    {
      role: 'user',
      content: [
        { type: 'text', text },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'Seen.' }] },
  ];
}

function randomTurn(
  part: { words: number; picture: number | undefined; calls: boolean },
  at: number,
): Message[] {
  const [prompt, answer] = pictureTurn(at, part.picture ?? 0) as [Message, Message];
  const asked = part.picture === undefined ? { ...prompt, content: prompt.content.slice(0, 1) } : prompt;
  const thought = { type: 'thinking', thinking: 'h'.repeat(part.words), signature: 's' };
  return [
    asked,
    ...(part.calls ? longTurn(at, part.words / 4).slice(1, 3) : []),
    { ...answer, content: [thought, ...answer.content] },
  ];
}

const numbers = (most: number): number[] => Array.from({ length: most }, (_, at) => at + 1);

const limits = { contextTokens: 20_000, maxReplyTokens: 2_000 };

describe('a conversation near its limit', () => {
  it('leaves out the oldest turns whole, keeps the newest, and says so once [notes.chat.trimming]', async () => {
    await using harness = await Harness.start({ limits });
    harness.history = [1, 2, 3, 4, 5, 6].flatMap((number) => longTurn(number, 4_000));
    harness.api.enqueue(reply('Still here.'));

    const events = await harness.prompt('Are you there?');

    expect(ofType(events, 'notice').map(({ code }) => code)).toEqual(['history-trimmed']);
    const sent = JSON.stringify(harness.api.conversations[0]?.body.messages);
    expect([1, 2, 3, 4, 5, 6].filter((number) => sent.includes(`prompt ${number} `))).toEqual([3, 4, 5, 6]);
    expect([1, 2, 3, 4, 5, 6].filter((number) => sent.includes(`result ${number} `))).toEqual([3, 4, 5, 6]);
    expect(harness.api.conversations[0]?.body.messages[0]).toMatchObject({
      role: 'user',
      content: [{ type: 'text' }],
    });
  });

  it('starts at the same turn for a while, without another notice', async () => {
    await using harness = await Harness.start({ limits });
    harness.history = [1, 2, 3, 4, 5, 6].flatMap((number) => longTurn(number, 4_000));
    harness.api.enqueue(reply('One.'), reply('Two.'));

    await harness.prompt('First');
    const events = await harness.prompt('Second');

    const [first, second] = harness.api.conversations.map(({ body }) => withoutMarks(body.messages));
    expect(second?.slice(0, first?.length)).toEqual(first);
    expect(ofType(events, 'notice')).toEqual([]);
  });

  it('makes room while the turn itself grows, and then stops sending its thinking', async () => {
    const big = tool('big', () => Promise.resolve({ content: 'y'.repeat(24_000) }));
    await using harness = await Harness.start({ limits, tools: [big] });
    harness.history = [1, 2, 3].flatMap((number) => longTurn(number, 4_000));
    harness.api.enqueue(
      reply(think('Hm.'), callTool('big', {}, 'toolu_a')),
      reply(callTool('big', {}, 'toolu_b')),
      reply('Done.'),
    );

    const events = await harness.prompt('Go');

    expect(streamedText(events)).toBe('Done.');
    expect(ofType(events, 'notice')[0]).toMatchObject({ code: 'history-trimmed' });
    const last = JSON.stringify(harness.api.conversations[2]?.body.messages);
    expect(last).toContain('toolu_a');
    expect(last).toContain('toolu_b');
    expect(last).not.toContain('prompt 1 ');
    expect(last).not.toContain('thinking');
  });

  it('is sent again with less when the service finds it too long', async () => {
    await using harness = await Harness.start();
    harness.history = [1, 2, 3, 4].flatMap((number) => longTurn(number, 100));
    const tooLong = httpError(
      400,
      'invalid_request_error',
      'prompt is too long: 210000 tokens > 200000 maximum',
    );
    harness.api.enqueue(tooLong, tooLong, reply('Short enough.'));

    const events = await harness.prompt('Hi');

    expect(streamedText(events)).toBe('Short enough.');
    expect(harness.api.conversations.map(({ body }) => body.messages.length)).toEqual([17, 9, 5]);
  });

  it('says what to do when the prompt alone is too long', async () => {
    await using harness = await Harness.start();
    harness.api.enqueue(
      httpError(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
    );

    expect((await harness.prompt('Hi')).at(-1)).toMatchObject({
      type: 'failed',
      code: 'too_large',
      recoverable: false,
      message: expect.stringContaining('Send a shorter one'),
    });
  });
});

describe('reading the earlier conversation', () => {
  it('stops where nothing more could be sent, however long the conversation is', async () => {
    await using harness = await Harness.start({ limits });
    harness.history = numbers(500).flatMap((number) => longTurn(number, 1_000));
    harness.api.enqueue(reply('Still here.'));

    const events = await harness.prompt('Are you there?');

    expect(streamedText(events)).toBe('Still here.');
    expect(harness.turnsRead).toBeLessThan(20);
  });

  it('stops where the pictures exceed a request', async () => {
    await using harness = await Harness.start({ limits: { pictureBytes: 100_000 } });
    harness.history = numbers(40).flatMap((number) => pictureTurn(number, 10_000));
    harness.api.enqueue(reply('Nice pictures.'));

    const events = await harness.prompt('Which is the best?');

    expect(ofType(events, 'notice').map(({ code }) => code)).toEqual(['history-trimmed']);
    const sent = JSON.stringify(harness.api.conversations[0]?.body.messages);
    const pictures = numbers(40).filter((number) => sent.includes(`picture ${number} `));
    expect(pictures).toEqual(numbers(40).slice(-pictures.length));
    expect(pictures.length).toBeGreaterThanOrEqual(7);
    expect(pictures.length).toBeLessThanOrEqual(10);
    expect(harness.turnsRead).toBe(11);
  });

  it('produces the same conversation as reading all of it', () => {
    const part = fc.record({
      words: fc.integer({ min: 0, max: 12_000 }),
      picture: fc.option(fc.integer({ min: 1, max: 40_000 }), { nil: undefined }),
      calls: fc.boolean(),
    });
    const tight = { contextTokens: 12_000, maxReplyTokens: 2_000, pictureBytes: 100_000 };
    const reminder = { fromMessage: 5, text: 'Remember.' };
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), fc.integer({ min: 0, max: 20_000 }), (parts, growth) => {
        const messages = parts.flatMap(randomTurn);
        const [bounded, whole] = [fitsRequest(tight), () => true].map(
          (isWanted) =>
            new Conversation({
              model: 'claude',
              assistant: { name: 'notes', label: 'Notes', systemPrompt: 'Help.', tools: [], reminder },
              tools: [],
              serverTools: [],
              history: recentOf(messages, isWanted),
              prompt: { role: 'user', content: [{ type: 'text', text: 'And now?' }] },
              limits: tight,
            }),
        ) as [Conversation, Conversation];
        const both = (see: (conversation: Conversation) => unknown): void =>
          expect(see(bounded)).toEqual(see(whole));
        const all = (conversation: Conversation) => [
          conversation.request({ allowTools: true }),
          conversation.leftOut,
          conversation.promptNumber,
        ];

        both(all);
        both((conversation) => {
          conversation.add({ role: 'assistant', content: [{ type: 'text', text: 'z'.repeat(growth) }] });
          conversation.learn({ input: growth, output: 10, cacheRead: 0, cacheWrite: 0 });
          conversation.makeRoom();
          return all(conversation);
        });
        both((conversation) => [conversation.shrink(), ...all(conversation)]);
        both((conversation) => [conversation.dropPictures(), ...all(conversation)].slice(1));
      }),
    );
  });

  it('does not say that nothing from strangers was read when it did not read everything', async () => {
    const seen: (boolean | undefined)[] = [];
    const look = tool('look', (_, { hasReadOutside }) => {
      seen.push(hasReadOutside);
      return Promise.resolve({ content: 'seen' });
    });
    await using harness = await Harness.start({ limits, tools: [look] });
    harness.api.enqueue(
      reply(callTool('look', {}, 'a')),
      reply('1'),
      reply(callTool('look', {}, 'b')),
      reply('2'),
    );

    harness.history = longTurn(1, 100);
    await harness.prompt('Look');
    harness.history = numbers(50).flatMap((number) => longTurn(number, 1_000));
    await harness.prompt('Look');

    expect(seen).toEqual([false, true]);
  });
});

describe('turnsToLeaveOut', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 5_000 }), { maxLength: 40 });
  const budgets = fc.integer({ min: 0, max: 50_000 });
  const total = (tokens: readonly number[]): number => tokens.reduce((all, size) => all + size, 0);
  const leaveOut = (turns: readonly number[], budget: number): number =>
    turnsToLeaveOut(
      turns.map((tokens) => ({ tokens, pictureBytes: 0 })),
      { tokens: budget, pictureBytes: 0 },
    );

  it('leaves out as many as needed and no more [notes.chat.trimming]', () => {
    fc.assert(
      fc.property(sizes, budgets, (turns, budget) => {
        const count = leaveOut(turns, budget);

        expect(total(turns.slice(count))).toBeLessThanOrEqual(budget);
        expect(count > 0).toBe(total(turns) > budget);
        // At most a quarter more than necessary, plus the turn in which the quarter ends.
        const maxWithoutLast = Math.max(0, total(turns) - budget) + Math.max(1, budget / 4);
        expect(total(turns.slice(0, Math.max(0, count - 1)))).toBeLessThan(maxWithoutLast);
      }),
    );
  });

  it('only moves the start forward, and rarely', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 50, maxLength: 200 }), (turns) => {
        const budget = 10_000;
        const counts = turns.map((_, at) => leaveOut(turns.slice(0, at + 1), budget));

        expect(counts).toEqual(counts.toSorted((a, b) => a - b));
        expect(new Set(counts).size).toBeLessThanOrEqual(2 + (2 * total(turns)) / (budget / 4));
      }),
    );
  });
});

describe('estimateMessage', () => {
  it('counts an image separately, even inside a tool result, not by its bytes', () => {
    const image: ContentBlock = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(400_000) },
    };
    const direct: Message = { role: 'user', content: [image] };
    const inside: Message = {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [image] }],
    };

    expect(estimateMessage(direct).tokens).toBeLessThan(2_000);
    expect(estimateMessage(inside).tokens).toBeLessThan(2_000);
    expect([direct, inside].map((message) => estimateMessage(message).pictureBytes)).toEqual([
      400_000, 400_000,
    ]);
  });
});

function withoutMarks(value: unknown): unknown[] {
  return JSON.parse(
    JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner)),
  ) as unknown[];
}
