// The real client libraries against the stand-in: messages, refusals and broken connections.
import { DiscordAPIError, REST } from '@discordjs/rest';
import { WebSocketManager, WebSocketShardEvents } from '@discordjs/ws';
import {
  type APIGuild,
  type APIUser,
  GatewayDispatchEvents,
  GatewayIntentBits,
  Routes,
} from 'discord-api-types/v10';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type DiscordStandIn, startDiscordStandIn } from '../../src/index.ts';

const petra = { id: '1001', username: 'Petra' };

async function start() {
  const discord = await startDiscordStandIn();
  onTestFinished(() => discord.close());
  const rest = new REST({ api: discord.url, retries: 0 }).setToken(discord.token);
  return { discord, rest };
}

function open({ url }: DiscordStandIn, token: string, intents: number) {
  const rest = new REST({ api: url, retries: 0 }).setToken(token);
  const gateway = new WebSocketManager({ token, rest, intents });
  onTestFinished(() => gateway.destroy());
  return gateway;
}

async function connect(discord: DiscordStandIn, intents: number) {
  const gateway = open(discord, discord.token, intents);
  const heard: string[] = [];
  const guilds: string[] = [];
  let user: APIUser | undefined;
  gateway.on(WebSocketShardEvents.Ready, (data) => {
    user = data.user;
  });
  gateway.on(WebSocketShardEvents.Dispatch, ({ t, d }) => {
    if (t === GatewayDispatchEvents.MessageCreate) heard.push(d.content);
    if (t === GatewayDispatchEvents.GuildCreate) guilds.push((d as APIGuild).name);
  });
  await gateway.connect();
  return { user, guilds, heard };
}

const guildMessages = GatewayIntentBits.Guilds | GatewayIntentBits.GuildMessages;

async function seen(heard: readonly string[], count: number): Promise<void> {
  const late = AbortSignal.timeout(60_000);
  while (heard.length < count) {
    late.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function refusal(call: Promise<unknown>): Promise<[number, number | string]> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof DiscordAPIError)) throw new Error('it was not refused');
  return [error.status, error.code];
}

describe('the REST API of the Discord stand-in', () => {
  it('sends, edits, lists and removes messages', async () => {
    const { discord, rest } = await start();
    const path = Routes.channelMessages(discord.general.id);
    const asked = discord.inject({ author: petra, content: 'hello' });
    const sent = (await rest.post(path, { body: { content: 'one' } })) as { id: string };
    await rest.patch(Routes.channelMessage(discord.general.id, sent.id), { body: { content: 'two' } });
    expect(discord.visible()).toMatchObject([{ content: 'two', edits: 1 }]);
    const query = new URLSearchParams({ after: asked.id });
    expect(await rest.get(path, { query })).toMatchObject([{ id: sent.id, author: { id: discord.bot.id } }]);
    await rest.delete(Routes.channelMessage(discord.general.id, sent.id));
    expect(discord.visible()).toEqual([]);
  });

  it('refuses what Discord refuses, with its codes', async () => {
    const { discord, rest } = await start();
    const path = Routes.channelMessages(discord.general.id);
    const asked = discord.inject({ author: petra, content: 'hello' });
    expect(await refusal(rest.post(path, { body: { content: 'x'.repeat(2_001) } }))).toEqual([400, 50_035]);
    expect(await refusal(rest.post(path, { body: { content: ' ' } }))).toEqual([400, 50_006]);
    expect(await refusal(rest.post(Routes.channelMessages('1'), { body: { content: 'x' } }))).toEqual([
      404, 10_003,
    ]);
    const foreign = Routes.channelMessage(discord.general.id, asked.id);
    expect(await refusal(rest.patch(foreign, { body: { content: 'x' } }))).toEqual([403, 50_005]);
    const rows = Array.from({ length: 6 }, (_, row) => ({
      type: 1,
      components: [{ type: 2, style: 2, label: 'x', custom_id: String(row) }],
    }));
    expect(await refusal(rest.post(path, { body: { content: 'x', components: rows } }))).toEqual([
      400, 50_035,
    ]);
    const reply = { content: 'x', message_reference: { message_id: '1' } };
    expect(await refusal(rest.post(path, { body: reply }))).toEqual([400, 50_035]);
    const other = new REST({ api: discord.url }).setToken('wrong');
    expect(await refusal(other.get(Routes.user()))).toEqual([401, 0]);
  });

  it('accepts a message with the same nonce once', async () => {
    const { discord, rest } = await start();
    const body = { content: 'once', nonce: 'n1', enforce_nonce: true };
    const path = Routes.channelMessages(discord.general.id);
    const [first, second] = [await rest.post(path, { body }), await rest.post(path, { body })];
    expect((second as { id: string }).id).toBe((first as { id: string }).id);
    expect(discord.visible()).toHaveLength(1);
  });

  it('limits rates so that the library waits', async () => {
    const { discord, rest } = await start();
    discord.failNext('POST /channels/:id/messages', { kind: 'rate-limit', seconds: 0.3 });
    await rest.post(Routes.channelMessages(discord.general.id), { body: { content: 'late' } });
    const [first, second] = discord.calls.map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(290);
  });
});

describe('the gateway of the Discord stand-in', () => {
  it('sends the ready event and messages', async () => {
    const { discord } = await start();
    const { user, guilds, heard } = await connect(discord, guildMessages | GatewayIntentBits.MessageContent);
    expect(user?.id).toBe(discord.bot.id);
    discord.inject({ author: petra, content: 'hello' });
    await seen(heard, 1);
    expect(guilds).toEqual(['Home']);
    expect(heard).toEqual(['hello']);
  });

  it('hides the text without the message content intent', async () => {
    const { discord } = await start();
    const { heard } = await connect(discord, guildMessages);
    discord.inject({ author: petra, content: 'hello' });
    await seen(heard, 1);
    expect(heard).toEqual(['']);
  });

  it('resumes a broken session and sends what was missed', async () => {
    const { discord } = await start();
    const { heard } = await connect(discord, guildMessages | GatewayIntentBits.MessageContent);
    discord.gateway.drop();
    discord.inject({ author: petra, content: 'missed' });
    await seen(heard, 1);
    discord.gateway.askToReconnect();
    discord.inject({ author: petra, content: 'missed too' });
    await discord.until(() => discord.gateway.resumes === 2, AbortSignal.timeout(60_000));
    await seen(heard, 2);
    expect(heard).toEqual(['missed', 'missed too']);
    expect(discord.gateway.identifies).toBe(1);
  });

  it('closes the connection for a wrong token and for an intent that was not granted', async () => {
    const { discord } = await start();
    await expect(open(discord, 'wrong', guildMessages).connect()).rejects.toThrow('401: Unauthorized');
    const denying = await startDiscordStandIn({ deniesMessageContent: true });
    onTestFinished(() => denying.close());
    const blind = open(denying, denying.token, GatewayIntentBits.MessageContent);
    blind.on(WebSocketShardEvents.Error, () => undefined);
    await expect(blind.connect()).rejects.toThrow('disallowed intents');
  });
});
