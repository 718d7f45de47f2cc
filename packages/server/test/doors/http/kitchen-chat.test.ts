// The kitchen assistant over HTTP with the real gateway, engine, database and recipe vault. Only the model is a
// stand-in.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoModel } from '@parley/demo/services';
import { type Envelope } from '@parley/protocol';
import { seedRecipes } from '@parley/recipe-vault';
import {
  type AnthropicStandIn,
  callTool,
  createGate,
  httpError,
  noFallback,
  overloaded,
  reply,
  say,
  stall,
  startAnthropicStandIn,
  wait,
} from '@parley/stand-ins';
import { describe, expect, it, onTestFinished } from 'vitest';
import { kitchen } from '../../../src/assistants/kitchen.ts';
import { systemClock } from '../../../src/domain/clock.ts';
import {
  createMessagesApiEngine,
  type MessagesApiOptions,
} from '../../../src/engines/messages-api/engine.ts';
import { type Kitchen, openKitchen } from '../../assistants/recipe-vault-program.ts';
import { png } from '../../support/images.ts';
import { collect, type DoorHarness, key, startDoor, until } from './door-harness.ts';
import { eventsOf, type ReadEvent } from './sse.ts';

const upstreamKey = 'sk-ant-planted-secret-0123456789';

describe('the kitchen assistant over HTTP', () => {
  it('answers from the recipes, with tool events on the way and the token count at the end [kitchen.chat.tool-use]', async () => {
    const { ask, api } = await start();
    api.enqueue().always(({ body }) => demoModel(body));
    const { events, text } = await ask('What recipes do I have?');
    expect(events.filter(({ event }) => event === 'tool_use').map(({ data }) => data)).toEqual([
      { tool: 'list_recipes', status: 'started' },
      { tool: 'list_recipes', status: 'finished' },
    ]);
    expect(text).toMatch(/Apple Crumble[\s\S]*Roasted Tomato Soup/);
    const end = events.at(-1);
    expect(end?.event).toBe('done');
    expect(end?.data['tokens_used']).toBeGreaterThan(100);
  });

  it('sends text while the model is still writing [kitchen.performance.first-token] [kitchen.sse.chunk]', async () => {
    const { post, api } = await start();
    const gate = createGate();
    api.enqueue(reply(say('first'), wait(gate.opened), say('second')));
    const events = eventsOf(await post({ message: 'Hello' }));
    expect((await events.next()).value).toMatchObject({ event: 'chunk', data: { text: 'first' } });
    gate.open();
    expect((await events.next()).value).toMatchObject({ event: 'chunk', data: { text: 'second' } });
    expect((await collect(events)).map(({ event }) => event)).toEqual(['done']);
  });

  it('continues after text next to tool calls until the model has seen the results [kitchen.chat.text-with-tools]', async () => {
    const { ask, api, door } = await start();
    api.enqueue(reply(say('Let me look.'), callTool('list_recipes')), reply('You have six.'));
    const { events, id } = await ask('How many?');
    expect(events.map(({ event }) => event)).toEqual(['chunk', 'tool_use', 'tool_use', 'chunk', 'done']);
    expect((await door.gateway.turns('sebastian', id))[0]?.text).toBe('You have six.');
    expect(JSON.stringify(api.conversations[1]?.body.messages)).toContain('tool_result');
  });

  it('sends a follow-up with the tool calls and results so far [kitchen.context.follow-up] [kitchen.context.tool-results-kept]', async () => {
    const { ask, api, recipes } = await start();
    const crumble = await recipes.findByTitle('Apple Crumble');
    api.enqueue(reply(callTool('list_recipes', {}, 'toolu_list')), reply('Six of them.'));
    const { id } = await ask('What recipes do I have?');
    api.enqueue(reply('About an hour.'));
    await ask('How long does the apple crumble take?', { conversation_id: id });
    const { messages } = api.conversations.at(-1)?.body ?? { messages: [] };
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
    expect(messages[1]?.content).toMatchObject([
      { type: 'tool_use', id: 'toolu_list', name: 'list_recipes' },
    ]);
    expect(messages[2]?.content).toMatchObject([{ type: 'tool_result', tool_use_id: 'toolu_list' }]);
    expect(JSON.stringify(messages[2])).toContain(crumble?.id);
    expect(JSON.stringify(messages[4])).toContain('How long does the apple crumble take?');
  });

  it('keeps several tool calls of one turn, and shows the recipe before the model has the result [kitchen.context.several-tools-kept] [kitchen.sse.recipe-artifact]', async () => {
    const { ask, api, door } = await start();
    api.enqueue(
      reply(callTool('create_recipe', { title: 'Pumpkin Pie' }, 'toolu_create')),
      reply(
        callTool('display_recipe', { title: 'Pumpkin Pie' }, 'toolu_show'),
        callTool('list_recipes', {}, 'toolu_list'),
      ),
      reply('Here it is.'),
    );
    const { id, events } = await ask('Write down pumpkin pie and show it');
    const shown = events.find(({ event }) => event === 'recipe_artifact');
    const stored = await door.fetch(`/api/sessions/${id}/events?after=0`);
    const envelopes: Envelope[] = [];
    for await (const { data } of eventsOf(stored)) {
      envelopes.push(data as unknown as Envelope);
      if (envelopes.at(-1)?.event.type === 'turn.ended') break;
    }
    const resultSent = envelopes.find(
      ({ event }) =>
        event.type === 'message' && JSON.stringify(event.content).includes('"tool_use_id":"toolu_show"'),
    );
    expect(shown?.id).toBeLessThan(resultSent?.seq ?? 0);
    expect(shown?.data['recipe_id']).toMatch(/^[0-9a-f-]{36}$/);

    api.enqueue(reply('Yes.'));
    await ask('Is it sweet?', { conversation_id: id });
    const sent = JSON.stringify(api.conversations.at(-1)?.body.messages);
    for (const call of ['toolu_create', 'toolu_show', 'toolu_list']) {
      expect(sent).toContain(`"id":"${call}"`);
      expect(sent).toContain(`"tool_use_id":"${call}"`);
    }
  });

  it('reports a failed tool and shows no recipe', async () => {
    const { ask, api } = await start();
    api.enqueue(reply(callTool('display_recipe', { title: 'Stone soup' })), reply('There is none.'));
    const { events } = await ask('Show me the stone soup');
    expect(events.map(({ event, data }) => data['status'] ?? event)).toEqual([
      'started',
      'failed',
      'chunk',
      'done',
    ]);
  });

  it('starts a new conversation without knowledge of others [kitchen.context.new-session]', async () => {
    const { ask, api } = await start();
    api.enqueue(reply('Noted.'), reply('Hello.'));
    await ask('My name is Rumpelstiltskin');
    await ask('Who am I?');
    expect(api.conversations.at(-1)?.body.messages).toHaveLength(1);
    expect(JSON.stringify(api.conversations.at(-1)?.body)).not.toContain('Rumpelstiltskin');
  });

  it('drops the oldest messages of a long conversation and keeps the newest [kitchen.context.trimming]', async () => {
    const { ask, api } = await start({ limits: { contextTokens: 16_000, maxReplyTokens: 1_000 } });
    api.enqueue().always(reply('Yes.'));
    const { id } = await ask(`the oldest ${'word '.repeat(6_000)}`);
    for (const text of ['second', 'third']) {
      await ask(`${text} ${'word '.repeat(6_000)}`, { conversation_id: id });
    }
    await ask('the newest', { conversation_id: id });
    const sent = JSON.stringify(api.conversations.at(-1)?.body.messages);
    expect(sent).not.toContain('the oldest');
    expect(sent).toContain('third ');
    expect(sent).toContain('the newest');
  });

  it('reminds the model from the fifth message on, with one system prompt, and shows neither [kitchen.reminder.fifth-message] [kitchen.reminder.not-in-history] [kitchen.prompt.single]', async () => {
    const { ask, api, door } = await start();
    api.enqueue().always(reply('Yes.'));
    const { id } = await ask('One');
    for (const text of ['Two', 'Three']) await ask(text, { conversation_id: id });
    const bodies = api.conversations.map(({ body }) => body);
    expect(bodies.map((body) => JSON.stringify(body.messages).includes('<reminder>'))).toEqual([
      false,
      false,
      true,
    ]);
    for (const { system } of bodies) expect(system).toMatchObject([{ text: kitchen.systemPrompt }]);
    const shown = await (await door.fetch(`/api/sessions/${id}`)).text();
    expect(shown).not.toContain('reminder');
    expect(shown).not.toContain('You are the kitchen assistant');
  });

  it('passes an image to the model with the text [kitchen.chat.image]', async () => {
    const { ask, api } = await start();
    const image = png(40, 30);
    api.enqueue(reply('A fridge.'));
    await ask('What can I cook with this?', { image });
    expect(api.conversations[0]?.body.messages[0]?.content).toMatchObject([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: image.data } },
      { type: 'text', text: 'What can I cook with this?' },
    ]);
  });

  it('sends the same to a client that resumes after any event, and to two at once [kitchen.sse.resume]', async () => {
    const { post, api, door } = await start();
    const gate = createGate();
    api.enqueue(
      reply(
        say('Let ', 'me ', 'look.'),
        callTool('list_recipes'),
        callTool('display_recipe', { title: 'apple crumble' }),
      ),
      reply(wait(gate.opened), say('There ', 'you ', 'are.')),
    );
    const response = await post({ message: 'Show me the apple crumble' });
    const id = response.headers.get('x-conversation-id') ?? '';
    const from = (last?: number) =>
      door.fetch(`/api/chat/${id}/events`, {
        headers: last === undefined ? {} : { 'last-event-id': String(last) },
      });
    const first = eventsOf(response);
    await first.next();
    const second = collect(eventsOf(await from()));
    gate.open();
    const rest = await collect(first);
    const all = await second;
    expect(all.slice(1)).toEqual(rest);
    expect(all.map(({ event }) => event)).toContain('recipe_artifact');
    for (const { id: seen } of all) {
      expect(await collect(eventsOf(await from(seen)))).toEqual(all.filter((event) => event.id > seen));
    }
  });

  it('cancels the model call when stopped, and answers the next message [kitchen.chat.stop]', async () => {
    const { post, ask, api, door } = await start();
    api.enqueue(reply(say('Once upon a time'), stall()));
    const response = await post({ message: 'Tell me a story' });
    const id = response.headers.get('x-conversation-id') ?? '';
    const events = eventsOf(response);
    await events.next();
    const stopped = await door.fetch(`/api/chat/${id}/stop`, { method: 'POST' });
    expect(await stopped.json()).toEqual({ stopped: true });
    expect((await collect(events)).map(({ event, data }) => [event, data['stopped']])).toEqual([
      ['done', true],
    ]);
    await until(() => api.conversations[0]?.outcome === 'left');
    api.enqueue(reply('Gladly.'));
    expect((await ask('A shorter one', { conversation_id: id })).text).toBe('Gladly.');
  });

  it.each([
    ['that passes', overloaded(), true],
    ['that stays', httpError(401, 'authentication_error', `invalid x-api-key ${upstreamKey}`), false],
  ])(
    'reports a failure %s in a sentence without secrets [kitchen.sse.error-event]',
    async (_, failure, recoverable) => {
      const { ask, api } = await start();
      api.enqueue().always(failure);
      const { events } = await ask('Hello');
      expect(events.at(-1)).toMatchObject({ event: 'error', data: { recoverable } });
      expect(String(events.at(-1)?.data['message'])).toMatch(/^[A-Z].*\.$/);
      expect(JSON.stringify(events)).not.toContain(upstreamKey);
    },
  );

  it('does not send the message of a failed turn to the model with the next one [kitchen.chat.failed-prompt]', async () => {
    const { ask, api } = await start();
    api.enqueue(httpError(400, 'invalid_request_error', 'not this time'), reply('Yes.'));
    const { id, events } = await ask('Add eggs');
    expect(events.at(-1)?.event).toBe('error');
    await ask('The next one', { conversation_id: id });
    const { messages } = api.conversations.at(-1)?.body ?? {};
    expect(messages).toHaveLength(1);
    expect(JSON.stringify(messages)).not.toContain('Add eggs');
  });

  it('replaces the message of a failed turn when it is sent again, and keeps what its tools did [kitchen.chat.retry]', async () => {
    const { ask, api, recipes } = await start();
    api.enqueue(
      reply(callTool('create_recipe', { title: 'Pumpkin Pie' }, 'toolu_create')),
      httpError(400, 'invalid_request_error', 'not this time'),
      reply('Written down.'),
      reply('One.'),
    );
    const { id } = await ask('Write down pumpkin pie');
    const { text } = await ask('Write down pumpkin pie', { conversation_id: id });
    expect(text).toBe('Written down.');
    const toolRound = [
      { role: 'user', content: [{ type: 'text', text: 'Write down pumpkin pie' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_create' }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_create' }] },
    ];
    expect(api.conversations.at(-1)?.body.messages).toMatchObject(toolRound);
    expect(api.conversations.at(-1)?.body.messages).toHaveLength(3);

    await ask('How many pies?', { conversation_id: id });
    const { messages } = api.conversations.at(-1)?.body ?? { messages: [] };
    expect(messages).toMatchObject([
      ...toolRound,
      { role: 'assistant', content: [{ type: 'text', text: 'Written down.' }] },
      { role: 'user', content: [{ type: 'text', text: 'How many pies?' }] },
    ]);
    expect(messages).toHaveLength(5);
    expect((await recipes.list()).recipes.filter(({ title }) => title === 'Pumpkin Pie')).toHaveLength(1);
  });

  it('says that the recipe vault has crashed, and continues [kitchen.mcp.crash-error]', async () => {
    const { ask, api, mcp } = await start({}, { mcp: { limits: { firstPauseMs: 60_000 } } });
    api.enqueue(reply(callTool('list_recipes')), reply('Six.'));
    const { id } = await ask('What recipes do I have?');
    process.kill(mcp.status('recipes').pid ?? 0, 'SIGKILL');
    await mcp.until('recipes', 'failed');

    api.enqueue(reply(callTool('list_recipes')), reply('I cannot look now.'));
    const { events, text } = await ask('And today?', { conversation_id: id });
    expect(events.map(({ event, data }) => data['status'] ?? event)).toEqual([
      'started',
      'notice',
      'failed',
      'chunk',
      'done',
    ]);
    expect(events[1]?.data['message']).toMatch(/^The .*“recipes”.*\.$/);
    expect(text).toBe('I cannot look now.');
  });

  it('continues after a server restart, including tool results [notes.session.survives-restart] [notes.chat.earlier-tool-results-after-restart]', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-kitchen-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'parley.db');
    const before = await start({}, { file });
    before.api.enqueue(reply(callTool('list_recipes', {}, 'toolu_list')), reply('Six of them.'));
    const { id } = await before.ask('What recipes do I have?');
    await before.door.stop();

    const after = await start({}, { file });
    const history = await after.door.fetch(`/api/claude/history?session_id=${id}`);
    expect(await history.json()).toEqual({
      success: true,
      history: [
        { role: 'user', content: 'What recipes do I have?' },
        { role: 'assistant', content: 'Six of them.' },
      ],
    });
    after.api.enqueue(reply('The crumble.'));
    await after.ask('Which is the sweetest?', { conversation_id: id });
    const sent = JSON.stringify(after.api.conversations[0]?.body.messages);
    expect(sent).toContain('"tool_use_id":"toolu_list"');
    expect(sent).toContain('Apple Crumble');
  });

  it('keeps every secret out of every response of every route [kitchen.security.key-stays-inside]', async () => {
    const { ask, api, door } = await start();
    api.enqueue(reply(callTool('list_recipes')), reply('Six.'));
    const { id } = await ask('What recipes do I have?');
    api.enqueue().always(httpError(401, 'authentication_error', `invalid x-api-key: ${upstreamKey}`));
    const [turn] = await door.gateway.turns('sebastian', id);
    const body = {
      message: 'Hi',
      session_id: id,
      password: 'wrong',
      person: 'sebastian',
      title: 'x',
      order: [],
    };
    const answers: Promise<{ route: string; text: string }>[] = [];
    for (const { method, path } of door.door.routes.filter((route) => route.method !== 'HEAD')) {
      const address = path
        .replace(/:id|:conversation_id/, id)
        .replace(':turnId', turn?.id ?? '')
        .replaceAll(/:\w+|\*/g, '0');
      const response = await door.fetch(address, {
        method,
        ...(method !== 'GET' && method !== 'DELETE' && { body: JSON.stringify(bodyFor(path, body)) }),
        headers: {
          accept: 'text/html',
          ...(method !== 'GET' && method !== 'DELETE' && { 'content-type': 'application/json' }),
        },
      });
      const head = JSON.stringify([...response.headers]);
      answers.push(response.text().then((text) => ({ route: `${method} ${path}`, text: head + text })));
    }
    expect(answers.length).toBeGreaterThan(25);
    // Ends streams that would stay open.
    await door.door.close();
    const kept = await door.gateway.turns('sebastian', id).catch(() => []);
    for (const { route, text } of await Promise.all(answers)) {
      for (const secret of [upstreamKey, key])
        expect({ route, found: text.includes(secret) }).toEqual({ route, found: false });
    }
    expect(JSON.stringify(kept)).not.toContain(upstreamKey);
  });
});

/** Bodies are strict, so each route gets only the fields it knows. */
function bodyFor(path: string, all: Readonly<Record<string, unknown>>): object {
  const fields: Readonly<Record<string, readonly string[]>> = {
    '/login': ['password'],
    '/api/me': ['person'],
    '/api/chat': ['message'],
    '/api/claude/chat': ['message', 'session_id'],
    '/api/claude/chat-stream': ['message', 'session_id'],
    '/api/sessions/:id/prompts': ['message'],
    '/api/sessions/:id/queue': ['order'],
    '/api/sessions/:id': ['title'],
  };
  return Object.fromEntries((fields[path] ?? []).map((field) => [field, all[field]]));
}

interface Started {
  readonly api: AnthropicStandIn;
  readonly door: DoorHarness;
  readonly recipes: Kitchen['recipes'];
  readonly mcp: Kitchen['mcp'];
  readonly post: (body: object) => Promise<Response>;
  /** Sends a message and reads the whole answer. */
  readonly ask: (
    message: string,
    fields?: object,
  ) => Promise<{ id: string; events: ReadEvent[]; text: string }>;
}

async function start(
  options: Partial<MessagesApiOptions> = {},
  { file, mcp: mcpOptions }: { file?: string; mcp?: Parameters<typeof openKitchen>[0] } = {},
): Promise<Started> {
  const { mcp, recipes, sources } = await openKitchen(mcpOptions);
  await seedRecipes(recipes);
  const api = await startAnthropicStandIn({ fallback: noFallback });
  onTestFinished(() => api.close());
  const engine = createMessagesApiEngine({
    apiKey: upstreamKey,
    baseUrl: api.url,
    model: 'claude-sonnet-5-5',
    assistants: new Map([['kitchen', kitchen]]),
    toolSources: sources,
    clock: systemClock,
    ...options,
    limits: { firstPauseMs: 5, longestPauseMs: 20, ...options.limits },
  });
  const door = await startDoor({
    answeredBy: engine,
    limits: { messageLength: 100_000, bodyBytes: 1_000_000 },
    ...(file !== undefined && { file }),
  });
  onTestFinished(() => door.stop());
  const post = (body: object) => door.post('/api/chat', body);
  return {
    api,
    door,
    recipes,
    mcp,
    post,
    async ask(message, fields = {}) {
      const response = await post({ message, ...fields });
      const events = await collect(eventsOf(response));
      const chunks = events.flatMap(({ event, data }) => (event === 'chunk' ? [String(data['text'])] : []));
      return { id: response.headers.get('x-conversation-id') ?? '', events, text: chunks.join('') };
    },
  };
}
