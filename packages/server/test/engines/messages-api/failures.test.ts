import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  cut,
  errorInStream,
  freePort,
  httpError,
  malformedEvent,
  overloaded,
  overloadInStream,
  type Reply,
  rateLimited,
  reply,
  say,
  stall,
} from '@parley/stand-ins';
import { describe, expect, it } from 'vitest';
import { Harness, ofType, streamedText, types } from './harness.ts';

describe('before anything was shown', () => {
  it.each<[string, Reply]>([
    ['a rate limit', rateLimited(0)],
    ['an overload', overloaded()],
    ['a failure of the service', httpError(500, 'api_error', 'Internal server error')],
    ['an overload inside the stream', reply(overloadInStream())],
    ['a failure inside the stream', reply(errorInStream('api_error', 'Internal server error'))],
    ['a broken connection', reply(cut())],
    ['an event that is not JSON', reply(malformedEvent())],
  ])('retries after %s [notes.chat.retry-before-first-token]', async (_, failure) => {
    await using harness = await Harness.start();
    harness.api.enqueue(failure, failure, reply('Here I am.'));

    const events = await harness.prompt('Hi');

    expect(streamedText(events)).toBe('Here I am.');
    expect(ofType(events, 'notice').map(({ code }) => code)).toEqual(['retrying', 'retrying']);
    expect(ofType(events, 'failed')).toEqual([]);
  });

  it('waits as long as the service asks and says so [notes.chat.retry-before-first-token]', async () => {
    await using harness = await Harness.start({ limits: { firstPauseMs: 1, longestPauseMs: 1 } });
    harness.api.enqueue(rateLimited(1), reply('Here I am.'));

    const events = await harness.prompt('Hi');

    expect(ofType(events, 'notice')).toEqual([
      {
        type: 'notice',
        code: 'retrying',
        message: 'The API key has reached its rate limit. Trying again in 1 second (attempt 2 of 4).',
      },
    ]);
    expect(streamedText(events)).toBe('Here I am.');
  });

  it('fails when the service asks for too long a wait, and says when to try again', async () => {
    await using harness = await Harness.start();
    harness.api.enqueue(rateLimited(600));

    const events = await harness.prompt('Hi');

    expect(events.at(-1)).toEqual({
      type: 'failed',
      code: 'rate_limited',
      recoverable: true,
      retryAfterSeconds: 600,
      message: expect.stringContaining('in 10 minutes'),
    });
    expect(harness.api.requests).toHaveLength(1);
  });

  it('gives up after the last attempt with a sentence that says what to do', async () => {
    await using harness = await Harness.start({ limits: { maxAttempts: 3 } });
    harness.api.enqueue(overloaded(), overloaded(), overloaded(), reply('too late'));

    const events = await harness.prompt('Hi');

    expect(harness.api.requests).toHaveLength(3);
    expect(events.at(-1)).toEqual({
      type: 'failed',
      code: 'unavailable',
      recoverable: true,
      message: 'Claude is overloaded. Send the message again in a moment.',
    });
  });

  it.each<[string, Reply, string]>([
    ['it broke off', reply(cut()), 'The connection to the Anthropic API was lost'],
    ['it failed', httpError(500, 'api_error', 'oops'), 'The Anthropic API has an internal problem'],
    ['it is overloaded', overloaded(), 'Claude is overloaded'],
  ])('says why it retries when %s', async (_, failure, reason) => {
    await using harness = await Harness.start();
    harness.api.enqueue(failure, reply('Here I am.'));

    const events = await harness.prompt('Hi');

    expect(ofType(events, 'notice')).toMatchObject([
      { code: 'retrying', message: `${reason}. Trying again in 1 second (attempt 2 of 4).` },
    ]);
  });

  it('says so when the service cannot be reached', async () => {
    const port = await freePort();
    await using harness = await Harness.start({
      baseUrl: `http://127.0.0.1:${port}`,
      limits: { maxAttempts: 2 },
    });

    const events = await harness.prompt('Hi');

    expect(types(events)).toEqual(['message', 'notice', 'failed']);
    expect(events.at(-1)).toMatchObject({
      recoverable: true,
      message: expect.stringContaining('cannot be reached'),
    });
  });

  it.each<[string, Reply, string]>([
    ['a wrong key', httpError(401, 'authentication_error', 'invalid x-api-key'), 'ANTHROPIC_API_KEY'],
    ['a key without the right', httpError(403, 'permission_error', 'not allowed'), 'ANTHROPIC_API_KEY'],
    [
      'an empty account',
      httpError(400, 'invalid_request_error', 'Your credit balance is too low'),
      'no credit',
    ],
    ['an unknown model', httpError(404, 'not_found_error', 'model: claude-x'), 'PARLEY_MODEL'],
  ])('does not retry with %s, and says what to set', async (_, failure, words) => {
    await using harness = await Harness.start();
    harness.api.enqueue(failure);

    const events = await harness.prompt('Hi');

    expect(types(events)).toEqual(['message', 'failed']);
    expect(events.at(-1)).toMatchObject({ recoverable: false, message: expect.stringContaining(words) });
    expect(JSON.stringify(events)).not.toContain('sk-test-secret-key');
    expect(harness.api.requests).toHaveLength(1);
  });
});

describe('once something was shown', () => {
  it.each<[string, Reply, string]>([
    ['an overload', reply(say('Half an '), overloadInStream()), 'overloaded'],
    [
      'a broken connection',
      reply(say('Half an '), cut()),
      'The connection to the Anthropic API was lost before the answer was complete. Send the message again.',
    ],
    [
      'a failure',
      reply(say('Half an '), errorInStream('api_error', 'oops')),
      'The Anthropic API stopped in the middle of the answer because of an internal problem. Send the message again in a moment.',
    ],
    ['an event that is not JSON', reply(say('Half an '), malformedEvent()), 'was lost'],
  ])(
    '%s ends the turn, and the message can be sent again [notes.chat.no-retry-after-first-token]',
    async (_, failure, words) => {
      await using harness = await Harness.start();
      harness.api.enqueue(failure, reply('Here I am.'));

      const events = await harness.prompt('Hi');

      expect(harness.api.requests).toHaveLength(1);
      expect(types(events)).toEqual(['message', 'text.delta', 'message', 'usage', 'failed']);
      expect(events.at(-1)).toMatchObject({ recoverable: true, message: expect.stringContaining(words) });
      expect(harness.history[1]?.content).toEqual([{ type: 'text', text: 'Half an ' }]);
      expect(streamedText(await harness.prompt('Hi'))).toBe('Here I am.');
    },
  );
});

describe('a reply that stalls', () => {
  it('ends the turn, and the message can be sent again', async () => {
    await using harness = await Harness.start({ limits: { stallMs: 200 } });
    harness.api.enqueue(reply(say('Well, '), stall()));

    const events = await harness.prompt('Hi');

    expect(events.at(-1)).toMatchObject({
      type: 'failed',
      recoverable: true,
      message: expect.stringContaining('stopped responding'),
    });
    expect(ofType(events, 'notice')).toEqual([]);
  });

  it('ends the turn before the first token too', async () => {
    await using harness = await Harness.start({ limits: { stallMs: 200 } });
    harness.api.enqueue(reply(stall()));

    const events = await harness.prompt('Hi');

    expect(types(events).filter((type) => type !== 'usage')).toEqual(['message', 'failed']);
  });

  it('does not include one whose reader is slow', async () => {
    await using harness = await Harness.start({ limits: { stallMs: 1_000 } });
    harness.api.enqueue(reply(say('Well, '), say('well.')));

    const events = await harness.prompt('Hi', {
      onEvent: async (event) => {
        if (event.type === 'text.delta') await new Promise((resolve) => setTimeout(resolve, 1_500));
      },
    });

    expect(streamedText(events)).toBe('Well, well.');
    expect(ofType(events, 'failed')).toEqual([]);
  });

  it('does not include one that only sends pings', async () => {
    const pings = Array.from({ length: 12 }, () => 'event: ping\ndata: {"type": "ping"}\n\n');
    await using service = await startRawService(
      [...replyFrames.slice(0, 1), ...pings, ...replyFrames.slice(1)],
      100,
    );
    await using harness = await Harness.start({ baseUrl: service.url, limits: { stallMs: 1_000 } });

    expect(streamedText(await harness.prompt('Hi'))).toBe('Hi');
  });
});

describe('a connection', () => {
  it('is used again for the next request', async () => {
    await using service = await startRawService(replyFrames, 1);
    await using harness = await Harness.start({ baseUrl: service.url });

    for (let turn = 0; turn < 10; turn += 1) await harness.prompt('Hi');

    // The service may still be closing one stream when the next request goes out.
    expect(service.connections).toBeLessThanOrEqual(2);
  });
});

const replyFrames = [
  { type: 'message_start', message: { model: 'm', usage: { input_tokens: 1, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
  { type: 'message_stop' },
].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

/** A service that answers every request with these frames. */
async function startRawService(frames: readonly string[], everyMs: number) {
  let connections = 0;
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const left = [...frames];
    const timer = setInterval(() => {
      const frame = left.shift();
      if (frame !== undefined) response.write(frame);
      else response.end();
    }, everyMs);
    response.once('close', () => clearInterval(timer));
  }).on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get connections() {
      return connections;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('a picture that the service cannot read', () => {
  const picture = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
  const unreadable = httpError(400, 'invalid_request_error', 'messages.0.content.1: Could not process image');
  const pictures = (harness: Harness) =>
    harness.api.conversations.map(
      ({ body }) => JSON.stringify(body.messages).match(/"type":"image"/g)?.length ?? 0,
    );

  it('fails its own turn with a message, but no later one', async () => {
    await using harness = await Harness.start();
    harness.api.enqueue(unreadable, unreadable, reply('Without it.'), reply('Still.'));

    const refused = await harness.prompt([{ type: 'text', text: 'What is it?' }, picture]);
    expect(ofType(refused, 'failed')).toMatchObject([{ code: 'invalid', recoverable: false }]);
    expect(ofType(refused, 'failed')[0]?.message).toContain('could not read the picture');

    const next = await harness.prompt('Never mind');
    expect(streamedText(next)).toBe('Without it.');
    expect(ofType(next, 'notice')).toMatchObject([{ code: 'pictures-left-out' }]);
    const later = await harness.prompt('And now?');
    expect(streamedText(later)).toBe('Still.');
    expect(ofType(later, 'notice')).toEqual([]);
    expect(pictures(harness)).toEqual([1, 1, 0, 0]);
  });

  it('fails the turn that contains it, with or without earlier pictures, and keeps those', async () => {
    await using harness = await Harness.start();
    harness.api.enqueue(reply('A cat.'), unreadable, unreadable, reply('Still a cat.'));
    await harness.prompt([{ type: 'text', text: 'What is it?' }, picture]);
    const refused = await harness.prompt([{ type: 'text', text: 'And this?' }, picture]);
    expect(ofType(refused, 'failed')).toMatchObject([{ code: 'invalid' }]);
    expect(ofType(refused, 'notice')).toEqual([]);
    harness.history.splice(2);
    await harness.prompt('And the first one?');
    expect(pictures(harness)).toEqual([1, 2, 1, 1]);
  });
});
