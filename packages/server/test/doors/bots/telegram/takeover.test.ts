// A bot that takes over from another program: its session map, its sessions, and the commands of the real program.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reply } from '@parley/stand-ins';
import { describe, expect, it } from 'vitest';
import { freshFolder } from '../harness.ts';
import { buttonsOf, press, untilCallback } from './buttons.ts';
import { answers, type Bot, petra, startBot } from './harness.ts';
import { freshWorkplace, type Workplace } from './program.ts';

const timeout = 240_000;

/** A session that only the program knows, with a magic word in its past. */
async function startedElsewhere(place: Workplace, word: string): Promise<string> {
  const engine = await place.newEngine();
  const other = await startBot({ engine, settings: { workspace: place.workspace } });
  place.anthropic.enqueue(reply(`The magic word is ${word}.`));
  await asked(other, `Remember ${word}`);
  const map = JSON.parse(readFileSync(join(other.folder, 'sessions.json'), 'utf8')) as SessionsJson;
  await other.stop();
  return map['telegram:1001']?.sessionId ?? '';
}

type SessionsJson = Readonly<Record<string, { readonly sessionId: string }>>;

async function asked(bot: Bot, text: string) {
  const before = bot.telegram.visible(petra.id).length;
  bot.telegram.inject({ from: petra, fields: { text } });
  return (await answers(bot.telegram, before + 1, petra.id, 90_000))[before];
}

const magicWord = (request: { readonly body: unknown }) =>
  reply(/magic word is (\w+)/.exec(JSON.stringify(request.body))?.[1] ?? 'forgotten');

describe('a bot that takes over from another program', () => {
  it(
    'resumes the sessions in its map, with its own model and permissions [channels.store.takeover]',
    async () => {
      const place = await freshWorkplace();
      const { workspace, anthropic } = place;
      const id = await startedElsewhere(place, 'basil');
      const folder = freshFolder();
      const entry = { sessionId: id, updatedAt: '2026-02-08T12:00:00.000Z' };
      const gone = {
        sessionId: '11111111-1111-4111-8111-111111111111',
        updatedAt: '2026-02-08T12:00:00.000Z',
      };
      writeFileSync(
        join(folder, 'sessions.json'),
        JSON.stringify({ 'telegram:1001': entry, 'telegram:1002': gone }),
      );
      const settings = { workspace, person: 'sebastian', model: 'claude-opus-4-5' };
      const bot = await startBot({ folder, engine: await place.newEngine(), settings, allowFrom: ['*'] });
      anthropic.enqueue(magicWord);
      expect((await asked(bot, 'What was the magic word?'))?.text).toBe('basil');
      const session = await bot.gateway.getSession('sebastian', id);
      expect(session.settings).toMatchObject({
        model: 'claude-opus-4-5',
        permissionMode: 'bypassPermissions',
        workingDir: workspace,
      });
      expect(anthropic.requests.at(-1)?.body.model).toBe('claude-opus-4-5');

      anthropic.enqueue(reply('A new start.'));
      bot.telegram.inject({ from: { ...petra, id: 1002 }, fields: { text: 'Go on' } });
      await answers(bot.telegram, 1, 1002, 90_000);
      expect(bot.log).toContainEqual(
        expect.objectContaining({ fields: expect.objectContaining({ session: gone.sessionId }) }),
      );
      const map = JSON.parse(readFileSync(join(folder, 'sessions.json'), 'utf8')) as SessionsJson;
      expect(map['telegram:1001']?.sessionId).toBe(id);
    },
    timeout,
  );

  it(
    'lists and opens sessions that were started outside of Parley [channels.session.started-elsewhere]',
    async () => {
      const place = await freshWorkplace();
      const { workspace, anthropic } = place;
      await startedElsewhere(place, 'thyme');
      const bot = await startBot({ engine: await place.newEngine(), settings: { workspace } });
      const list = await asked(bot, '/sessions');
      if (!list) throw new Error('there is no list');
      expect(buttonsOf(list).map(({ text }) => text)).toEqual(['Remember thyme']);
      press(bot, list, 'Remember thyme');
      await untilCallback(bot, /now continues: Remember thyme/);
      anthropic.enqueue(magicWord);
      expect((await asked(bot, 'What was the magic word?'))?.text).toBe('thyme');
    },
    timeout,
  );

  it(
    'passes on only commands that the program knows, and only models that it offers [channels.flow.known-commands]',
    async () => {
      const place = await freshWorkplace();
      const bot = await startBot({
        engine: await place.newEngine(),
        settings: { workspace: place.workspace },
      });
      expect((await asked(bot, '/frobnicate now'))?.text).toBe(
        'There is no command /frobnicate. Send /help to see my commands.',
      );
      expect((await asked(bot, '/context'))?.text).toContain('Context Usage');
      expect((await asked(bot, '/model nonsense'))?.text).toMatch(
        /^There is no model nonsense\. Choose from: .*haiku/,
      );
      expect((await asked(bot, '/model haiku'))?.text).toBe('This session now uses haiku.');
      expect((await asked(bot, '/model claude-opus-4-5'))?.text).toBe(
        'This session now uses claude-opus-4-5.',
      );
      place.anthropic.enqueue(reply('That is a path.'));
      expect((await asked(bot, '/etc/hosts is what?'))?.text).toBe('That is a path.');
    },
    timeout,
  );
});
