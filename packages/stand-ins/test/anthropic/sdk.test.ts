// The official SDK, unchanged, against the stand-in.
import Anthropic, { NotFoundError, RateLimitError } from '@anthropic-ai/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type AnthropicStandIn,
  callTool,
  createGate,
  cut,
  lastUserText,
  malformedEvent,
  noFallback,
  overloaded,
  overloadInStream,
  rateLimited,
  reply,
  say,
  stall,
  startAnthropicStandIn,
  think,
  wait,
  withOptions,
} from '../../src/index.ts';

const hello = {
  model: 'claude-sonnet-5-5',
  max_tokens: 1_000,
  messages: [{ role: 'user' as const, content: 'Hello' }],
};

describe('the official SDK against the stand-in', () => {
  let standIn: AnthropicStandIn;
  let client: Anthropic;

  beforeEach(async () => {
    standIn = await startAnthropicStandIn({ fallback: noFallback });
    client = new Anthropic({ apiKey: 'any-word', baseURL: standIn.url, maxRetries: 0 });
  });
  afterEach(() => standIn.close());

  it('gets a whole message', async () => {
    standIn.enqueue(reply('Good ', 'morning'));
    const message = await client.messages.create(hello);
    expect(message.content).toEqual([{ type: 'text', text: 'Good morning' }]);
    expect(message.stop_reason).toBe('end_turn');
    expect(message.model).toBe('claude-sonnet-5-5');
    expect(message.usage.output_tokens).toBe(3);
  });

  it('folds streamed thinking, text and two tool calls at once into one message', async () => {
    standIn.enqueue(
      reply(
        think('Let me ', 'see.'),
        say('I look ', 'twice.'),
        callTool('read_file', { path: 'a.md' }, 'toolu_a'),
        callTool('list_directory'),
      ),
    );
    const stream = client.messages.stream(hello);
    const deltas: string[] = [];
    stream.on('text', (delta) => deltas.push(delta));
    const message = await stream.finalMessage();
    expect(deltas).toEqual(['I look ', 'twice.']);
    expect(message.stop_reason).toBe('tool_use');
    expect(message.content).toMatchObject([
      { type: 'thinking', thinking: 'Let me see.' },
      { type: 'text', text: 'I look twice.' },
      { type: 'tool_use', id: 'toolu_a', name: 'read_file', input: { path: 'a.md' } },
      { type: 'tool_use', id: expect.stringMatching(/^toolu_/), name: 'list_directory', input: {} },
    ]);
  });

  it('uses a separate script for each conversation and records the requests', async () => {
    standIn.script((request) => lastUserText(request.body).includes('tea'), reply('Tea it is.'));
    standIn.script((request) => lastUserText(request.body).includes('coffee'), reply('Coffee it is.'));
    const ask = async (content: string): Promise<unknown> =>
      (await client.messages.create({ ...hello, messages: [{ role: 'user', content }] })).content[0];
    const answers = await Promise.all([ask('coffee please'), ask('tea please')]);
    expect(answers).toEqual([
      { type: 'text', text: 'Coffee it is.' },
      { type: 'text', text: 'Tea it is.' },
    ]);
    expect(standIn.conversations.map((request) => lastUserText(request.body)).sort()).toEqual([
      'coffee please',
      'tea please',
    ]);
  });

  it('refuses with the status, type and retry-after of the service', async () => {
    standIn.enqueue(rateLimited(7), overloaded(3));
    const limited = await client.messages.create(hello).catch((error: unknown) => error);
    expect(limited).toBeInstanceOf(RateLimitError);
    expect((limited as RateLimitError).headers?.get('retry-after')).toBe('7');
    const busy = await client.messages.create(hello).catch((error: unknown) => error);
    expect(busy).toMatchObject({ status: 529, error: { error: { type: 'overloaded_error' } } });
  });

  it('answers when the SDK retries after an overload', async () => {
    standIn.enqueue(overloaded(0), reply('Here.'));
    const patient = new Anthropic({ apiKey: 'any-word', baseURL: standIn.url, maxRetries: 1 });
    expect((await patient.messages.create(hello)).content).toEqual([{ type: 'text', text: 'Here.' }]);
    expect(standIn.conversations).toHaveLength(2);
  });

  it('reports an overload in the middle of a stream', async () => {
    standIn.enqueue(reply(say('Half '), overloadInStream()));
    const { texts, error } = await collect(client);
    expect(texts).toEqual(['Half ']);
    expect(error).toMatchObject({ error: { error: { type: 'overloaded_error' } } });
  });

  it('cuts the connection in the middle of a stream', async () => {
    standIn.enqueue(reply(say('Half '), cut()));
    const { texts, error } = await collect(client);
    expect(texts).toEqual(['Half ']);
    expect(error).toBeInstanceOf(Error);
  });

  it('sends an event that no client can parse', async () => {
    standIn.enqueue(reply(say('Half '), malformedEvent(), say('whole')));
    const { texts, error } = await collect(client);
    expect(texts).toEqual(['Half ']);
    expect(error).toBeInstanceOf(Error);
  });

  it('stalls until the client disconnects, and records that', async () => {
    standIn.enqueue(reply(say('Half '), stall()));
    const stream = await client.messages.create({ ...hello, stream: true });
    for await (const event of stream) if (event.type === 'content_block_delta') break;
    await expect.poll(() => standIn.requests[0]?.outcome).toBe('left');
  });

  it('holds the stream at a gate until the test opens it', async () => {
    const gate = createGate();
    standIn.enqueue(reply(say('before '), wait(gate.opened), say('after')));
    const texts: string[] = [];
    for await (const event of await client.messages.create({ ...hello, stream: true })) {
      if (event.type !== 'content_block_delta' || event.delta.type !== 'text_delta') continue;
      texts.push(event.delta.text);
      gate.open();
    }
    expect(texts).toEqual(['before ', 'after']);
  });

  it('sends usage, model and stop reason as scripted', async () => {
    const usage = { input_tokens: 11, output_tokens: 22, cache_read_input_tokens: 33 };
    standIn.enqueue(
      withOptions(reply('cut sho'), { usage, model: 'claude-haiku-5-5', stopReason: 'max_tokens' }),
    );
    const message = await client.messages.stream(hello).finalMessage();
    expect(message).toMatchObject({ model: 'claude-haiku-5-5', stop_reason: 'max_tokens', usage });
  });

  it('counts tokens and lists models', async () => {
    const { input_tokens } = await client.messages.countTokens({
      model: hello.model,
      messages: hello.messages,
    });
    expect(input_tokens).toBeGreaterThan(0);
    const ids: string[] = [];
    for await (const model of client.models.list()) ids.push(model.id);
    expect(ids).toContain('claude-sonnet-5-5');
    expect(await client.models.retrieve('claude-sonnet-5-5')).toMatchObject({ type: 'model' });
    await expect(client.models.retrieve('claude-unknown')).rejects.toBeInstanceOf(NotFoundError);
  });

  it('reports that the script is used up', async () => {
    await expect(client.messages.create(hello)).rejects.toThrow('no scripted reply left');
  });
});

async function collect(client: Anthropic): Promise<{ texts: string[]; error: unknown }> {
  const texts: string[] = [];
  try {
    for await (const event of await client.messages.create({ ...hello, stream: true })) {
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta')
        texts.push(event.delta.text);
    }
    return { texts, error: undefined };
  } catch (error) {
    return { texts, error };
  }
}
