// The examples for contributors, each with the real parts around it.
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { callTool, reply } from '@parley/stand-ins';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BackwardsEngine } from '../../examples/extend/backwards-engine.ts';
import { diceTools } from '../../examples/extend/dice-tool.ts';
import { openLineDoor } from '../../examples/extend/line-door.ts';
import { PaperBot } from '../../examples/extend/paper-bot.ts';
import { silentLogger } from '../../src/domain/logger.ts';
import { createAllowList } from '../../src/doors/bots/core/allow-list.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { openChatServer } from '../doors/bots/chat-server.ts';
import { freshFolder } from '../doors/bots/harness.ts';
import { Harness } from '../engines/messages-api/harness.ts';
import { openGateway } from '../support/open-gateway.ts';

describe('the examples for contributors', () => {
  it('have a tool that the model calls, and that says what is wrong with its input [ops.examples]', async () => {
    await using harness = await Harness.start({ tools: await diceTools().tools() });
    harness.api.enqueue(
      reply(callTool('roll_die', { sides: 6 }), callTool('roll_die', { sides: 13 })),
      reply('Done.'),
    );

    await harness.prompt('Roll a die.');

    expect(harness.api.conversations[1]?.body.messages.at(-1)?.content).toMatchObject([
      { type: 'tool_result', content: expect.stringMatching(/^[1-6]$/) },
      {
        type: 'tool_result',
        content: expect.stringContaining('Nobody makes a die with 13 sides'),
        is_error: true,
      },
    ]);
  });

  it('have an engine and a door that lets in only those who know the secret [ops.examples]', async () => {
    const store = await openSqliteStore({ file: join(freshFolder(), 'parley.db') });
    const gateway = openGateway({ store, engines: [new BackwardsEngine()] });
    const door = await openLineDoor(gateway, 'petra', (line) => line === 'sesame');
    onTestFinished(async () => {
      await door.close();
      await gateway.close();
      await store.close();
    });
    expect(await talk(door.port, ['guess', 'good morning'])).toBe('no\n');
    expect(await talk(door.port, ['sesame', 'good morning', 'one two three'])).toBe(
      'morning good\nthree two one\n',
    );
  });

  it('have a chat service whose messages the core answers, once each [ops.examples]', async () => {
    const server = await openChatServer({
      folder: freshFolder(),
      engine: new BackwardsEngine(),
      logger: silentLogger,
    });
    onTestFinished(() => server.close());
    const bot = new PaperBot();
    const places = { token: 'PAPER_TOKEN', allowFrom: 'PAPER_ALLOW_FROM' };
    await server.core.attach({ bot, allowList: createAllowList(['7'], 'the paper bot', places) });
    const message = (id: string, senderId: string) => ({
      key: `paper:${id}`,
      chat: { channel: bot.name, chatId: senderId, isPrivate: true },
      sender: { id: senderId, isBot: false },
      messageId: id,
      content: { kind: 'text', text: 'good morning' } as const,
    });
    await server.core.receive(message('1', '8'));
    await server.core.receive(message('2', '7'));
    await server.core.receive(message('2', '7'));
    await expect.poll(() => [...bot.papers.values()]).toEqual([{ chatId: '7', text: 'morning good' }]);
  });
});

/** Sends the lines one after the other, and reads until as many have come back, or the other side hangs up. */
async function talk(port: number, lines: readonly string[]): Promise<string> {
  const socket = createConnection(port, '127.0.0.1').setEncoding('utf8');
  await once(socket, 'connect');
  socket.write(lines.map((line) => `${line}\n`).join(''));
  let text = '';
  for await (const piece of socket) {
    text += String(piece);
    if (text.split('\n').length === lines.length) break;
  }
  return text;
}
