// The acceptance matrix for Telegram: the real grammY, the real `claude` program, and stand-ins of both services.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  callTool,
  lastToolResults,
  type RecordedRequest,
  reply,
  resultText,
  type SentMessage,
} from '@parley/stand-ins';
import { describe, expect, it } from 'vitest';
import { answers, type Bot, freshTelegram, petra, startBot } from './harness.ts';
import { freshWorkplace, type Workplace } from './program.ts';

const patience = 60_000;

async function botAt(place: Workplace, options: Parameters<typeof startBot>[0] = {}): Promise<Bot> {
  const { settings, ...rest } = options;
  return startBot({
    folder: place.folder,
    engine: await place.newEngine(),
    ...rest,
    settings: { workspace: place.workspace, ...settings },
  });
}

async function asked(bot: Bot, text: string, count: number): Promise<SentMessage> {
  bot.telegram.inject({ from: petra, fields: { text } });
  const seen = await answers(bot.telegram, count, petra.id, patience);
  return seen[count - 1] as SentMessage;
}

/** A final answer with the result of the last tool. */
const fromTool = (prefix: string) => (request: RecordedRequest) =>
  reply(`${prefix}: ${lastToolResults(request.body).map(resultText).join(' ')}`);

describe('a Telegram bot with the real program', () => {
  it('summarizes the workspace from its files [channels.acceptance.telegram-summary] [channels.tools.workspace] [channels.program.flags]', async () => {
    const place = await freshWorkplace();
    place.anthropic.enqueue(
      reply(callTool('Read', { file_path: join(place.workspace, 'README.md') })),
      fromTool('Summary'),
    );
    const bot = await botAt(place);
    const answer = await asked(bot, 'Summarize key files in the workspace', 1);
    expect(answer.text).toContain('Waters plants by the hour.');
    const init = await initOf(bot);
    expect(init).toMatchObject({
      cwd: place.workspace,
      permissionMode: 'bypassPermissions',
      model: 'claude-sonnet-4-5',
    });
    expect(init['mcp_servers']).toMatchObject([{ name: 'parley', status: 'connected' }]);
  });

  it('continues the session after a restart [channels.acceptance.continuity] [channels.program.session-id-from-result]', async () => {
    const place = await freshWorkplace();
    const telegram = await freshTelegram();
    place.anthropic.enqueue(
      reply('It waters plants; the magic word is basil.'),
      reply('The backend pumps 12 litres.'),
    );
    const first = await botAt(place, { telegram });
    await asked(first, 'Summarize key files in the workspace', 1);
    await asked(first, 'Now summarize only the backend files', 2);
    await first.stop();

    place.anthropic.enqueue((request) =>
      reply(/magic word is (\w+)/.exec(JSON.stringify(request.body))?.[1] ?? 'forgotten'),
    );
    const second = await botAt(place, { telegram });
    expect((await asked(second, 'What was the magic word?', 3)).text).toBe('basil');
    const { sessionId } = sessionsJson(place)['telegram:1001'] ?? { sessionId: '' };
    expect((await resultOf(second))['session_id']).toBe(sessionId);
    expect(Object.keys(sessionsJson(place))).toEqual(['telegram:1001']);
  });

  it('says that nobody trusts the folder, and works without its configuration [code.trust.told] [code.trust.runs-nothing]', async () => {
    const place = await freshWorkplace();
    const ran = join(place.folder, 'ran');
    const hooks = { SessionStart: [{ hooks: [{ type: 'command', command: `touch ${ran}` }] }] };
    mkdirSync(join(place.workspace, '.claude'));
    writeFileSync(join(place.workspace, '.claude', 'settings.json'), JSON.stringify({ hooks }));
    place.anthropic.enqueue(reply('Hello, Petra.'), reply('Hello again.'));
    const bot = await botAt(place);
    expect((await asked(bot, 'Hello', 1)).text).toMatch(
      /^Hello, Petra\.\n\nNobody has trusted this folder yet/,
    );
    expect((await asked(bot, 'Hello again', 2)).text).toBe('Hello again.');
    expect(existsSync(ran)).toBe(false);
  });

  it('answers from what its tools return [channels.acceptance.tools]', async () => {
    const place = await freshWorkplace();
    place.anthropic.enqueue(
      reply(callTool('Bash', { command: 'ls backend' })),
      (request) => {
        const listing = lastToolResults(request.body).map(resultText).join('\n');
        const [name = ''] = /\w+\.ts/.exec(listing) ?? [];
        return reply(callTool('Read', { file_path: join(place.workspace, 'backend', name) }));
      },
      fromTool('The file says'),
    );
    const bot = await botAt(place);
    expect((await asked(bot, 'List the backend, then read what is there', 1)).text).toContain(
      'litresPerHour = 12',
    );
    const tools = bot.log
      .filter(({ fields }) => fields['event'] === 'tool_call')
      .map(({ fields }) => fields['tool']);
    expect(tools).toEqual(['Bash', 'Read']);
  });

  it('shows the model that a command failed, and sends its answer [channels.acceptance.failure] [channels.error.tool]', async () => {
    const place = await freshWorkplace();
    let seen: readonly unknown[] = [];
    place.anthropic.enqueue(reply(callTool('Bash', { command: 'cat missing.txt' })), (request) => {
      seen = lastToolResults(request.body);
      return reply('There is no such file, so I could not read it.');
    });
    const bot = await botAt(place);
    expect((await asked(bot, 'Read missing.txt with cat', 1)).text).toBe(
      'There is no such file, so I could not read it.',
    );
    expect(seen).toMatchObject([{ is_error: true }]);
    expect(JSON.stringify(seen)).toContain('No such file');
    const failed = bot.log.find(({ fields }) => fields['event'] === 'tool_result');
    expect(failed?.fields['outcome']).toBe('failed');
  });

  it('lets the program send messages to its chat during a turn [channels.tools.message]', async () => {
    const place = await freshWorkplace();
    place.anthropic.enqueue(
      reply(callTool('mcp__parley__message', { text: '**Half** way there' })),
      reply('All done.'),
    );
    const bot = await botAt(place);
    await asked(bot, 'Work, and keep me posted', 2);
    expect(bot.telegram.visible(petra.id).map(({ text }) => text)).toEqual(['Half way there', 'All done.']);
  });

  it('asks in the chat before the program runs a command, in mode ask', async () => {
    const place = await freshWorkplace();
    place.anthropic.enqueue(reply(callTool('Bash', { command: 'touch asked-for.txt' })), reply('Touched.'));
    const bot = await botAt(place, { settings: { permissionMode: 'ask' } });
    const card = await asked(bot, 'Touch it', 1);
    expect(card.text).toContain('touch asked-for.txt');
    const data = card.keyboard?.inline_keyboard[0]?.[0]?.callback_data ?? '';
    bot.telegram.pressButton({ from: petra, message: card, data });
    expect((await answers(bot.telegram, 2, petra.id, patience))[1]?.text).toBe('Touched.');
    expect(existsSync(join(place.workspace, 'asked-for.txt'))).toBe(true);
  });
});

type Frame = Readonly<Record<string, unknown>>;

/** The frames of the turns in Petra's chat since the server started. */
async function framesOf(bot: Bot): Promise<readonly Frame[]> {
  const [session] = (await bot.gateway.listSessions('petra', { limit: 1 })).sessions;
  if (!session) throw new Error('there is no session');
  bot.telegram.inject({ from: petra, fields: { text: '/context' } });
  const frames: Frame[] = [];
  for await (const { event } of bot.gateway.subscribe('petra', session.id)) {
    if (event.type === 'frame') frames.push(JSON.parse(event.raw) as Frame);
    if (event.type === 'turn.ended') break;
  }
  return frames;
}

async function initOf(bot: Bot): Promise<Frame> {
  return (await framesOf(bot)).find(({ subtype }) => subtype === 'init') ?? {};
}

async function resultOf(bot: Bot): Promise<Frame> {
  return (await framesOf(bot)).find(({ type }) => type === 'result') ?? {};
}

function sessionsJson({ folder }: Workplace): Record<string, { sessionId: string }> {
  return JSON.parse(readFileSync(join(folder, 'sessions.json'), 'utf8')) as Record<
    string,
    { sessionId: string }
  >;
}
