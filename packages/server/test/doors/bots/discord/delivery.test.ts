// Every message and every answer arrives once and complete, whatever Discord and the network do.
import { inspect } from 'node:util';
import { promptText } from '@parley/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitText } from '../../../../src/doors/bots/core/split-text.ts';
import { toDiscordMarkdown } from '../../../../src/doors/bots/discord/markdown.ts';
import { echo, failToReceive, freshFolder, SteppedEngine, say } from '../harness.ts';
import { answers, ask, direct, freshDiscord, petra, startBot } from './harness.ts';

const postMessage = 'POST /channels/:id/messages';

function saying(text: string): SteppedEngine {
  const engine = new SteppedEngine();
  engine.scripts.set('go', async function* () {
    yield* say(text);
  });
  return engine;
}

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');
/** The expected text, unless it is too long. */
const shown = (part: string) => {
  const made = toDiscordMarkdown(part);
  return made.length <= 2_000 ? made : part;
};
const letters = (text: string) => text.replaceAll(/```\w*|\s+/g, '');

describe('an answer in Discord', () => {
  it.each([
    ['100 KB of paragraphs', lines(900, (index) => `Paragraph ${index} ${'of words '.repeat(12)}\n`)],
    ['code', `Look:\n\n\`\`\`ts\n${lines(600, (index) => `const v${index} = ${index};`)}\n\`\`\`\nDone.`],
    ['a table', `| n | word |\n|---|---|\n${lines(300, (index) => `| ${index} | word ${index} |`)}`],
    ['emoji', lines(800, (index) => `👩‍👩‍👧‍👦${index}`)],
    ['right to left', lines(700, (index) => `שלום ${index} مرحبا`)],
    ['no place to split', 'x'.repeat(7_000)],
  ])(
    'over 2,000 characters arrives complete and in order: %s [channels.discord.long-answers]',
    async (_, text) => {
      const bot = await startBot({ engine: saying(text) });
      bot.discord.inject({ author: petra, content: 'go' });
      const expected = splitText(text, 1_980).length;
      const seen = await answers(bot.discord, expected);
      expect(seen).toHaveLength(expected);
      expect(letters(seen.map(({ content }) => content).join(''))).toBe(letters(text));
      for (const { content } of seen) {
        expect(content.length).toBeLessThanOrEqual(2_000);
        expect(content.split('```').length % 2, 'every code block is closed').toBe(1);
      }
    },
    60_000,
  );

  it('arrives complete and in order whatever it contains [channels.discord.long-answers]', async () => {
    const engine = new SteppedEngine();
    const bot = await startBot({ engine });
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 900 }),
      fc.constantFrom('\n\n', '\n', ' ', '**bold**', '| a | b |\n|---|---|\n| 1 | 2 |\n', '# Head\n'),
      fc.constant('\n```js\nlet a = 1;\n\n\nlet b = 2;\n```\n'),
      fc.integer({ min: 1, max: 2_500 }).map((length) => 'word '.repeat(length).slice(0, length)),
    );
    const text = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => `a${pieces.join('')}z`);
    let run = 0;
    await fc.assert(
      fc.asyncProperty(text, async (answer) => {
        run += 1;
        engine.scripts.set(`go ${run}`, async function* () {
          yield* say(answer);
        });
        const channel = { id: String(20_000 + run), type: 1 } as const;
        bot.discord.inject({ author: petra, channel, content: `go ${run}` });
        const parts = splitText(answer, 1_980);
        const seen = await answers(bot.discord, parts.length, channel.id);
        expect(seen.map(({ content }) => letters(content))).toEqual(
          parts.map((part) => letters(shown(part))),
        );
      }),
      { numRuns: 25 },
    );
  });

  it('waits as long as Discord asks, and then arrives', async () => {
    const bot = await startBot({ engine: saying('at last') });
    bot.discord.failNext(
      postMessage,
      { kind: 'rate-limit', seconds: 0.5 },
      { kind: 'rate-limit', seconds: 0.5, global: true },
    );
    await ask(bot, 'go');
    const attempts = bot.discord.calls.filter(({ route }) => route === postMessage).map(({ at }) => at);
    expect(attempts).toHaveLength(3);
    expect((attempts[1] ?? 0) - (attempts[0] ?? 0)).toBeGreaterThanOrEqual(490);
    expect((attempts[2] ?? 0) - (attempts[1] ?? 0)).toBeGreaterThanOrEqual(490);
  });

  it('arrives complete within the limits that Discord announces', async () => {
    const text = Array.from({ length: 9 }, (_, index) => `Part ${index} ${'of words '.repeat(200)}`).join(
      '\n\n',
    );
    const discord = await freshDiscord({ messageLimit: { count: 2, perMs: 300 } });
    const bot = await startBot({ discord, engine: saying(text) });
    discord.inject({ author: petra, content: 'go' });
    const seen = await answers(discord, 9);
    expect(seen.map(({ content }) => content.slice(0, 6))).toEqual(seen.map((_, index) => `Part ${index}`));
    // The library respected the limits, and the core waited as long as the library asked.
    expect(discord.limited).toBe(0);
    expect(bot.log.some(({ fields }) => fields['problem'] === 'flood')).toBe(true);
  });

  it('is sent again when the connection broke before it arrived, and not when it broke after', async () => {
    const bot = await startBot({ engine: saying('at last') });
    bot.discord.failNext(
      postMessage,
      { kind: 'cut' },
      { kind: 'refuse', status: 502, code: 0, message: 'Bad Gateway' },
      { kind: 'cut-after' },
    );
    bot.discord.inject({ author: petra, content: 'go' });
    await answers(bot.discord, 1);
    await ask(bot, 'next');
    await bot.stop();
    expect(bot.discord.visible().map(({ content }) => content)).toEqual(['at last', 'You said: next']);
  });

  it('notifies nobody it mentions, and refers to the message it answers', async () => {
    const bot = await startBot({ engine: saying('Hello @everyone and <@1001>') });
    const asked = bot.discord.inject({ author: petra, content: 'go' });
    const [answer] = await answers(bot.discord, 1);
    expect(answer?.replyTo).toBe(asked.id);
    const call = bot.discord.calls.find(({ route }) => route === postMessage);
    expect(call?.payload['allowed_mentions']).toEqual({ parse: [], replied_user: false });
  });

  it('arrives without the reference when the bot may not read the history', async () => {
    const bot = await startBot({ engine: saying('**Fine**') });
    bot.discord.hideHistory(bot.discord.general.id);
    expect(await ask(bot, 'go')).toMatchObject({ content: '**Fine**', replyTo: undefined });
  });

  it('is given up in a channel that the bot can no longer access', async () => {
    const bot = await startBot({ engine: saying('too late') });
    const channel = { id: '9300', type: 0, guild_id: '8000' } as const;
    bot.discord.inject({ author: petra, channel, content: 'go' });
    bot.discord.forbid(channel.id);
    expect((await ask(bot, 'go')).content).toBe('too late');
    await expect.poll(() => bot.log.some(({ message }) => message.includes('failed to deliver'))).toBe(true);
    await bot.stop();
    expect(inspect(bot.log, { depth: 10, showHidden: true })).not.toContain('too late');
    expect(bot.discord.visible(channel.id)).toEqual([]);
  });

  it('reaches each of 50 chats that ask at once [channels.flow.side-by-side]', async () => {
    const engine = new SteppedEngine();
    const bot = await startBot({ engine });
    const channels = Array.from(
      { length: 50 },
      (_, index) => ({ id: String(30_000 + index), type: 1 }) as const,
    );
    for (const round of [1, 2])
      for (const channel of channels)
        bot.discord.inject({ author: petra, channel, content: `${round} in ${channel.id}` });
    for (const { id } of channels)
      expect((await answers(bot.discord, 2, id, 60_000)).map(({ content }) => content)).toEqual([
        `You said: 1 in ${id}`,
        `You said: 2 in ${id}`,
      ]);
    expect(new Set(engine.turns.map(({ session }) => session.id)).size).toBe(50);
  });
});

describe('messages from Discord', () => {
  it('are all answered once when the connection breaks and resumes [channels.discord.gateway] [channels.error.receive]', async () => {
    const bot = await startBot();
    await ask(bot, 'before');
    bot.discord.gateway.drop();
    bot.discord.inject({ author: petra, content: 'while broken' });
    await answers(bot.discord, 2);
    bot.discord.gateway.askToReconnect();
    bot.discord.inject({ author: petra, content: 'while reconnecting' });
    await answers(bot.discord, 3);
    await bot.discord.until(() => bot.discord.gateway.resumes === 2, AbortSignal.timeout(60_000));
    await ask(bot, 'after');
    expect(bot.discord.gateway.identifies).toBe(1);
    expect(bot.discord.visible().map(({ content }) => content)).toEqual(
      ['before', 'while broken', 'while reconnecting', 'after'].map((text) => `You said: ${text}`),
    );
    expect(bot.log.some(({ message }) => message.includes('lost the connection to Discord'))).toBe(true);
  });

  it('are fetched when the gateway session is lost', async () => {
    const bot = await startBot();
    await ask(bot, 'before');
    await ask(bot, 'direct before', bot.discord.openChannel(direct));
    bot.discord.gateway.forgetSessions();
    bot.discord.inject({ author: petra, content: 'unseen' });
    bot.discord.inject({ author: petra, channel: direct, content: 'unseen, direct' });
    expect((await answers(bot.discord, 2))[1]?.content).toBe('You said: unseen');
    expect((await answers(bot.discord, 2, direct.id))[1]?.content).toBe('You said: unseen, direct');
    await ask(bot, 'after');
    expect(bot.discord.gateway.identifies).toBe(2);
    expect(bot.discord.visible()).toHaveLength(3);
  });

  it('that arrive while the server is down are answered after it starts', async () => {
    const folder = freshFolder();
    const discord = await freshDiscord();
    const first = await startBot({ folder, discord });
    await ask(first, 'before');
    await first.stop();
    for (let number = 0; number < 120; number += 1)
      discord.inject({ author: petra, content: `down ${number}` });
    const engine = new SteppedEngine();
    await startBot({ folder, discord, engine });
    const seen = await answers(discord, 121, discord.general.id, 60_000);
    expect(seen.map(({ content }) => content)).toEqual(
      ['before', ...Array.from({ length: 120 }, (_, number) => `down ${number}`)].map(
        (text) => `You said: ${text}`,
      ),
    );
    expect(engine.turns).toHaveLength(120);
  });

  it.each(['restarts', 'loses its session'])(
    'that the bot missed are answered when it %s and another one comes right after the greeting',
    async (what) => {
      const folder = freshFolder();
      const discord = await freshDiscord();
      const bot = await startBot({ folder, discord });
      await ask(bot, 'before');
      // Comes while the stand-in greets the bot, so that both arrive in one piece.
      const injecting = discord.until(() => {
        const isGreeted = discord.gateway.identifies === 2;
        if (isGreeted) discord.inject({ author: petra, content: 'right after' });
        return isGreeted;
      }, AbortSignal.timeout(60_000));
      if (what === 'restarts') await bot.stop();
      else discord.gateway.forgetSessions();
      discord.inject({ author: petra, content: 'missed' });
      if (what === 'restarts') await startBot({ folder, discord });
      await injecting;
      const seen = await answers(discord, 3);
      expect(seen.map(({ content }) => content)).toEqual(
        ['before', 'missed', 'right after'].map((text) => `You said: ${text}`),
      );
    },
  );

  it('are fetched again when they could not be stored', async () => {
    const bot = await startBot();
    await ask(bot, 'before');
    failToReceive(bot, 2);
    for (const content of ['one', 'two', 'three']) bot.discord.inject({ author: petra, content });
    const seen = await answers(bot.discord, 4);
    expect(seen.map(({ content }) => content)).toEqual(
      ['before', 'one', 'two', 'three'].map((text) => `You said: ${text}`),
    );
  });

  it('with pictures and files reach the model; the rest is answered as unsupported [channels.input.text-only] [app.attachments.bots]', async () => {
    const engine = new SteppedEngine();
    engine.scripts.set('what is this?', async function* (turn) {
      yield* turn.prompt.some(({ type }) => type === 'image') ? say('a dot') : echo(turn);
    });
    const bot = await startBot({ engine });
    const { discord } = bot;
    const picture = discord.addFile(dot, 'dot.png', 'image/png');
    discord.inject({ author: petra, content: 'what is this?', attachments: [picture] });
    expect((await answers(discord, 1))[0]?.content).toBe('a dot');
    const liar = discord.addFile(Buffer.from('<html>'), 'dot.png', 'image/png');
    discord.inject({ author: petra, content: 'and this?', attachments: [liar] });
    expect((await answers(discord, 2))[1]?.content).toContain('format is not supported');
    discord.inject({ author: petra, content: '', attachments: [{ ...picture, size: 9_000_000 }] });
    expect((await answers(discord, 3))[2]?.content).toContain('larger than');
    const notes = discord.addFile(Buffer.from('%PDF-1.7'), 'notes.pdf', 'application/pdf');
    discord.inject({ author: petra, content: 'read it', attachments: [notes] });
    expect((await answers(discord, 4))[3]?.content).toBe('You said: read it');
    expect(engine.turns[1]?.prompt[0]).toMatchObject({
      type: 'file',
      name: 'notes.pdf',
      mediaType: 'application/pdf',
    });
    discord.inject({ author: petra, content: '', fields: { flags: 1 << 13 } });
    expect((await answers(discord, 5))[4]?.content).toContain('Voice messages are not supported here yet');
    const message = { content: 'what is this?', attachments: [picture], embeds: [] };
    discord.inject({ author: petra, content: '', fields: { message_snapshots: [{ message }] } });
    expect((await answers(discord, 6))[5]?.content).toBe('a dot');
    const prompts = engine.turns.map(({ prompt }) => promptText(prompt));
    expect(prompts).toEqual(['what is this?', 'read it', 'what is this?']);
  });
});

const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
