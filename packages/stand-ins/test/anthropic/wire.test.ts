// The stand-in on the wire: what it refuses, its limits, and its pace.
import { request as httpRequest } from 'node:http';
import { networkInterfaces } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type AnthropicStandIn,
  type AnthropicStandInOptions,
  callTool,
  errorInStream,
  noFallback,
  overloadInStream,
  reply,
  say,
  stall,
  startAnthropicStandIn,
  withOptions,
} from '../../src/index.ts';

const headers = {
  'x-api-key': 'any-word',
  'anthropic-version': '2023-06-01',
  'content-type': 'application/json',
};
const user = (content: unknown): object => ({ role: 'user', content });
const assistant = (content: unknown): object => ({ role: 'assistant', content });
const ask = (...messages: readonly object[]): object => ({
  model: 'claude-sonnet-5-5',
  max_tokens: 100,
  messages,
});

describe('the stand-in on the wire', () => {
  let standIn: AnthropicStandIn;

  beforeEach(() => restart({ fallback: noFallback }));
  afterEach(() => standIn.close());

  async function restart(options: AnthropicStandInOptions): Promise<void> {
    await (standIn as AnthropicStandIn | undefined)?.close();
    standIn = await startAnthropicStandIn(options);
  }

  const post = (body: unknown, extra: Record<string, string> = {}): Promise<Response> =>
    fetch(`${standIn.url}/v1/messages`, {
      method: 'POST',
      headers: { ...headers, ...extra },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const refusal = async (body: unknown): Promise<string> => {
    const response = await post(body);
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { type: string; message: string } };
    expect(error.type).toBe('invalid_request_error');
    return error.message;
  };

  it('answers without a stream with the status of the error that it would send inside one', async () => {
    standIn.enqueue(reply(errorInStream('rate_limit_error', 'Too fast.')), reply(overloadInStream()));
    expect((await post(ask(user('Hi')))).status).toBe(429);
    expect((await post(ask(user('Hi')))).status).toBe(529);
  });

  it('requires a key and a version', async () => {
    const bare = await fetch(`${standIn.url}/v1/messages`, {
      method: 'POST',
      body: JSON.stringify(ask(user('Hi'))),
    });
    expect(bare.status).toBe(401);
    expect(await bare.json()).toMatchObject({ type: 'error', error: { type: 'authentication_error' } });
    const unversioned = await fetch(`${standIn.url}/v1/models`, { headers: { 'x-api-key': 'any-word' } });
    expect(unversioned.status).toBe(400);
  });

  it('refuses a tool call without its result, and a result without its call', async () => {
    const call = assistant([{ type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }]);
    const result = user([{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'seen' }]);
    expect(await refusal(ask(user('Look'), call, user('Well?')))).toContain('without `tool_result` blocks');
    expect(await refusal(ask(user('Look'), result))).toContain('unexpected `tool_use_id`');
    standIn.enqueue(reply('Seen.'));
    expect((await post(ask(user('Look'), call, result))).status).toBe(200);
  });

  it('refuses empty messages, a conversation that starts with the assistant, and too many cache marks', async () => {
    expect(await refusal(ask())).toContain('at least one message');
    expect(await refusal(ask(user('')))).toContain('non-empty');
    expect(await refusal(ask(assistant('Hi')))).toContain('first message must use the "user" role');
    const marked = { type: 'text', text: 'x', cache_control: { type: 'ephemeral' } };
    expect(await refusal(ask(user(Array.from({ length: 5 }, () => marked))))).toContain('maximum of 4');
    expect(await refusal({ model: 'm', max_tokens: 1 })).toContain('messages: Field required');
    expect(await refusal('[]')).toContain('messages: Field required');
    expect(await refusal('{"model":')).toContain('JSON');
  });

  it('refuses the whole request because of one unsupported schema', async () => {
    const withSchema = (input_schema: object): object => ({
      ...ask(user('Hi')),
      tools: [
        { name: 'good', input_schema: { type: 'object' } },
        { name: 'odd', input_schema: { type: 'object', ...input_schema } },
      ],
    });
    expect(await refusal(withSchema({ anyOf: [{ required: ['a'] }] }))).toContain(
      'tools.1.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf',
    );
    expect(await refusal(withSchema({ properties: { 'a b': {} } }))).toContain('Property keys should match');
    standIn.enqueue(reply('Fine.'));
    expect((await post(withSchema({ properties: { a: { anyOf: [{ type: 'string' }] } } }))).status).toBe(200);
  });

  it('accepts an empty system message only if it changes the effort', async () => {
    const system = (extra: object): object => ({ role: 'system', content: [], ...extra });
    expect(await refusal(ask(user('Hi'), system({})))).toContain('non-empty');
    expect(await refusal(ask(user('Hi'), system({ output_config: {} })))).toContain('non-empty');
    standIn.enqueue(reply('Quickly said.'));
    expect((await post(ask(user('Hi'), system({ output_config: { effort: 'low' } })))).status).toBe(200);
  });

  it('refuses a body over the limit', async () => {
    await restart({ fallback: noFallback, maxBodyBytes: 1_000 });
    const response = await post(ask(user('x'.repeat(2_000))));
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: { type: 'request_too_large' } });
  });

  it('answers the probes of the claude program and nothing else', async () => {
    expect((await fetch(standIn.url, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(`${standIn.url}/api/hello`, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(`${standIn.url}/v1/files`)).status).toBe(404);
  });

  it('names a session for the claude program without using the script', async () => {
    standIn.enqueue(reply('For the conversation.'));
    const schema = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };
    const naming = {
      ...ask(user('<session>\nplan the herb garden for spring\n</session>\n\nWrite the title.')),
      output_config: { format: { type: 'json_schema', schema } },
    };
    const named = await post(naming, { 'user-agent': 'claude-cli/2.1.325 (external, cli)' });
    const { content } = (await named.json()) as { content: { text: string }[] };
    expect(JSON.parse(content[0]?.text ?? '')).toEqual({ title: 'Plan the herb garden for' });
    expect(standIn.requests.at(-1)?.kind).toBe('auxiliary');
    expect(await (await post(naming)).text()).toContain('For the conversation.');
  });

  it('counts a marked prefix as written to the cache the first time and as read from it later', async () => {
    standIn.enqueue().always(reply('Yes.'));
    const mark = { cache_control: { type: 'ephemeral' } };
    const system = [{ type: 'text', text: 'Be kind. '.repeat(100), ...mark }];
    const usageOf = async (...messages: readonly object[]): Promise<Record<string, number>> =>
      ((await (await post({ ...ask(...messages), system })).json()) as { usage: Record<string, number> })
        .usage;
    const first = await usageOf(user([{ type: 'text', text: 'One', ...mark }]));
    const second = await usageOf(
      user('One'),
      assistant('Yes.'),
      user([{ type: 'text', text: 'Two', ...mark }]),
    );
    expect(first).toMatchObject({ cache_read_input_tokens: 0, input_tokens: 0 });
    expect(first['cache_creation_input_tokens']).toBeGreaterThan(200);
    expect(second['cache_read_input_tokens']).toBe(first['cache_creation_input_tokens']);
    expect(second['cache_creation_input_tokens']).toBeGreaterThan(0);
    expect(await usageOf(user('Else'))).toMatchObject({ cache_creation_input_tokens: 0 });
  });

  it('keeps its record within the limits and drops the oldest requests', async () => {
    await restart({ fallback: noFallback, record: { requests: 3 } });
    standIn.enqueue().always(reply('Yes.'));
    for (let n = 0; n < 5; n += 1) await post(ask(user(`number ${n}`)));
    expect(standIn.requests.map((request) => request.number)).toEqual([3, 4, 5]);
    await restart({ fallback: noFallback, record: { bytes: 0 } });
    await post(ask(user('not kept')));
    expect(standIn.requests).toEqual([]);
  });

  it('waits for a request until the signal aborts or the stand-in closes', async () => {
    const coming = standIn.waitForRequest((request) => request.kind === 'conversation');
    void post(ask(user('Here I am')));
    expect((await coming).body.messages).toEqual([user('Here I am')]);
    const late = standIn.waitForRequest(() => false, AbortSignal.abort(new Error('enough')));
    await expect(late).rejects.toThrow('enough');
    const never = standIn.waitForRequest(() => false);
    await Promise.all([expect(never).rejects.toThrow('the stand-in closed'), standIn.close()]);
  });

  it('closes while a stream stalls', async () => {
    standIn.enqueue(reply(say('Half '), stall()));
    const response = await post({ ...ask(user('Go')), stream: true });
    const reading = response.text();
    await Promise.all([expect(reading).rejects.toThrow('terminated'), standIn.close()]);
  });

  it('writes every event as its own chunk on request', async () => {
    await restart({ fallback: noFallback, eventsApart: true });
    standIn.enqueue(reply(say('a', 'b', 'c'), callTool('look')));
    const chunks = await chunksOf(standIn, { ...ask(user('Go')), stream: true });
    const events = chunks.map((chunk) => chunk.match(/^event: \w+/gm)?.length);
    expect(chunks.length).toBeGreaterThan(10);
    expect(new Set(events)).toEqual(new Set([1]));
  });

  it('paces the deltas', async () => {
    standIn.enqueue(withOptions(reply('first', 'second'), { pace: { firstMs: 1, everyMs: 3_600_000 } }));
    const response = await post({ ...ask(user('Go')), stream: true });
    let seen = '';
    for await (const chunk of response.body ?? []) {
      seen += Buffer.from(chunk as Uint8Array).toString();
      if (seen.includes('first')) break;
    }
    expect(seen).not.toContain('second');
    await expect.poll(() => standIn.requests[0]?.outcome).toBe('left');
  });

  it('listens on loopback only', async () => {
    const outside = Object.values(networkInterfaces()).flatMap((list) =>
      (list ?? [])
        .filter((address) => !address.internal && address.family === 'IPv4')
        .map(({ address }) => address),
    );
    expect(new URL(standIn.url).hostname).toBe('127.0.0.1');
    for (const address of outside)
      await expect(fetch(`http://${address}:${standIn.port}/`)).rejects.toThrow('fetch failed');
  });
});

function chunksOf(standIn: AnthropicStandIn, body: object): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${standIn.url}/v1/messages`, { method: 'POST', headers }, (response) => {
      const chunks: string[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
      response.on('end', () => resolve(chunks));
    });
    request.on('error', reject);
    request.end(JSON.stringify(body));
  });
}
