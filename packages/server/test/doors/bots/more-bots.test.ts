// Several bots in one server, as people run them: the parley command with a configuration file, the real client
// libraries, and the real `claude` program.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  callTool,
  type DiscordStandIn,
  lastToolResults,
  lastUserText,
  noFallback,
  type RecordedRequest,
  reply,
  resultText,
  type SentMessage,
  startAnthropicStandIn,
  type TelegramStandIn,
} from '@parley/stand-ins';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freshPlace, type Place, parley } from '../../cli/parley-process.ts';
import * as discords from './discord/harness.ts';
import { buttonsOf, callbackTexts } from './telegram/buttons.ts';
import { answers, freshTelegram, petra, stranger } from './telegram/harness.ts';

const patience = 90_000;
const apiKey = 'parley-key-of-the-tests';

/** Runs a command or calls the message tool, depending on the last message. */
function answer({ body }: RecordedRequest) {
  const results = lastToolResults(body).map(resultText).join(' ');
  if (results !== '') return reply(`Result: ${results}`);
  const text = lastUserText(body);
  if (text.startsWith('send ')) return reply(callTool('mcp__parley__message', { text: text.slice(5) }));
  const command = new Map([
    ['list', 'ls'],
    ['make', 'touch made.txt'],
  ]).get(text);
  return command === undefined ? reply(`Answer to ${text}`) : reply(callTool('Bash', { command }));
}

interface House {
  /** The main Telegram bot, which works in `first`. */
  readonly first: TelegramStandIn;
  /** A second Telegram bot, which works in `garden`. */
  readonly garden: TelegramStandIn;
  /** A Discord bot, which works in `study`. */
  readonly study: DiscordStandIn;
  /** Resolves when all bots are running. */
  readonly start: () => ReturnType<Place['serve']>;
  readonly run: Place['run'];
  /** Whether a file is in a bot's workspace. */
  readonly has: (bot: string, file: string) => boolean;
  /** The session of each chat. */
  readonly sessions: () => Readonly<Record<string, string>>;
}

/** Each bot has a workspace with one file that has the bot's name. */
async function house(ofGarden: object = {}): Promise<House> {
  const place = freshPlace(parley);
  const anthropic = await startAnthropicStandIn({ fallback: noFallback });
  onTestFinished(() => anthropic.close());
  anthropic.script(() => true).always(answer);
  const [first, garden, study] = [
    await freshTelegram(),
    await freshTelegram(),
    await discords.freshDiscord(),
  ];
  const folderOf = (name: string) => {
    mkdirSync(join(place.user, name));
    writeFileSync(join(place.user, name, `${name}.md`), `# ${name}\n`);
    return name;
  };
  const config = {
    workspace: folderOf('first'),
    channels: {
      permissionMode: 'full',
      telegram: { token: first.token, apiRoot: first.url, allowFrom: [petra.id] },
      more: [
        {
          name: 'garden',
          service: 'telegram',
          token: garden.token,
          apiRoot: garden.url,
          allowFrom: [petra.id, stranger.id],
          workspace: folderOf('garden'),
          ...ofGarden,
        },
        {
          name: 'study',
          service: 'discord',
          token: study.token,
          apiRoot: study.url,
          allowFrom: [discords.petra.id],
          workspace: folderOf('study'),
        },
      ],
    },
  };
  writeFileSync(join(place.user, 'parley.config.json'), JSON.stringify(config));
  const environment = {
    ANTHROPIC_API_KEY: 'stand-in-key',
    ANTHROPIC_BASE_URL: anthropic.url,
    PARLEY_API_KEY: apiKey,
    PARLEY_LOG_LEVEL: 'info',
    // The program reaches only the stand-in, and may run as root.
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    IS_SANDBOX: '1',
  };
  return {
    first,
    garden,
    study,
    async start() {
      const served = await place.serve([], environment);
      await served.program.says(/the Discord bot is running/);
      return served;
    },
    run: (args) => place.run(args, environment),
    has: (bot, file) => existsSync(join(place.user, bot, file)),
    sessions() {
      const text = readFileSync(join(place.user, '.parley', 'sessions.json'), 'utf8');
      const records = JSON.parse(text) as Record<string, { sessionId: string }>;
      return Object.fromEntries(Object.entries(records).map(([key, { sessionId }]) => [key, sessionId]));
    },
  };
}

function write(telegram: TelegramStandIn, text: string, from = petra): void {
  telegram.inject({ from, fields: { text } });
}

async function lastIn(telegram: TelegramStandIn, count: number, chatId = petra.id): Promise<string> {
  return (await answers(telegram, count, chatId, patience)).map(({ text }) => text)[count - 1] ?? '';
}

async function lastOn(discord: DiscordStandIn, count: number): Promise<string> {
  const seen = await discords.answers(discord, count, discord.general.id, patience);
  return seen[count - 1]?.content ?? '';
}

describe('several bots in one server', () => {
  it('answer the same person in separate sessions and workspaces, even after kill -9 [channels.session.per-bot]', async () => {
    const { first, garden, study, start, sessions } = await house();
    const before = await start();
    write(first, 'list');
    write(garden, 'list');
    study.inject({ author: discords.petra, content: 'list' });
    expect(await lastIn(first, 1)).toBe('Result: first.md');
    expect(await lastIn(garden, 1)).toBe('Result: garden.md');
    expect(await lastOn(study, 1)).toBe('Result: study.md');
    const known = sessions();
    expect(Object.keys(known).toSorted()).toEqual([
      `garden:${petra.id}`,
      `study:${study.general.id}`,
      `telegram:${petra.id}`,
    ]);
    expect(new Set(Object.values(known)).size).toBe(3);

    // All three are busy. Every message that was received is answered once, by the bot that got it.
    write(first, 'one');
    write(garden, 'two');
    study.inject({ author: discords.petra, content: 'three' });
    await garden.until(() => garden.pendingUpdates === 0, AbortSignal.timeout(patience));
    await before.program.stop('SIGKILL');
    const after = await start();
    expect(await lastIn(first, 2)).toMatch(/^Answer to one$|The server stopped/);
    expect(await lastIn(garden, 2)).toMatch(/^Answer to two$|The server stopped/);
    expect(await lastOn(study, 2)).toMatch(/^Answer to three$|The server stopped/);

    write(garden, 'list');
    write(first, 'list');
    study.inject({ author: discords.petra, content: 'list' });
    expect(await lastIn(garden, 3)).toBe('Result: garden.md');
    expect(await lastIn(first, 3)).toBe('Result: first.md');
    expect(await lastOn(study, 3)).toBe('Result: study.md');
    expect(sessions()).toEqual(known);
    await after.program.stop();
    expect(await answers(first, 3)).toHaveLength(3);
    expect(await answers(garden, 3)).toHaveLength(3);
  }, 240_000);

  it('have their own allow lists, and a message tool that reaches only their own chat [channels.session.per-bot]', async () => {
    const { first, garden, start } = await house();
    const { program } = await start();
    write(first, 'hello', stranger);
    write(garden, 'hello', stranger);
    expect(await lastIn(garden, 1, stranger.id)).toBe('Answer to hello');
    await program.says(/"channel":"telegram","conversation":"telegram:666","senderId":"666","refused":true/);

    write(first, 'send the first');
    write(garden, 'send the garden');
    await Promise.all([lastIn(first, 2), lastIn(garden, 2)]);
    await program.stop();
    expect(first.visible(petra.id).map(({ text }) => text)).toEqual(['the first', 'Result: Sent.']);
    expect(garden.visible(petra.id).map(({ text }) => text)).toEqual(['the garden', 'Result: Sent.']);
    expect(first.visible(stranger.id)).toEqual([]);
  }, 240_000);

  it('have their own permission modes, and a button of one does nothing in another [channels.session.per-bot]', async () => {
    const { first, garden, start, has } = await house({ permissionMode: 'ask' });
    const { program } = await start();
    write(first, 'make');
    write(garden, 'make');
    await answers(first, 1, petra.id, patience);
    expect(has('first', 'made.txt')).toBe(true);
    const [card] = await answers(garden, 1, petra.id, patience);
    const allow = buttonsOf(card as SentMessage).find(({ text }) => text === 'Allow');
    const press = { from: petra, message: card as SentMessage, data: allow?.callback_data ?? '' };
    first.pressButton(press);
    await first.until(() => callbackTexts({ telegram: first }).length > 0, AbortSignal.timeout(patience));
    expect(callbackTexts({ telegram: first })).toEqual(['This question is no longer open.']);
    expect(has('garden', 'made.txt')).toBe(false);
    garden.pressButton(press);
    await answers(garden, 2, petra.id, patience);
    expect(has('garden', 'made.txt')).toBe(true);
    await program.stop();
  }, 240_000);

  it('are listed by name and service, and their tokens appear nowhere', async () => {
    const { first, garden, study, start, run } = await house();
    const { url, program } = await start();
    const response = await fetch(`${url}/api/channels`, { headers: { 'x-api-key': apiKey } });
    const overview = await response.text();
    expect(JSON.parse(overview)).toMatchObject({
      channels: [
        { name: 'telegram', kind: 'telegram', state: 'running' },
        { name: 'garden', kind: 'telegram', state: 'running' },
        { name: 'study', kind: 'discord', state: 'running' },
      ],
    });
    const shown = await run(['config']);
    const { stdout, stderr } = await program.stop();
    expect(shown.stdout).toContain('garden');
    for (const { token } of [first, garden, study])
      expect(overview + shown.stdout + shown.stderr + stdout + stderr).not.toContain(token);
  });
});
