// A server with only a Discord bot and an engine that echoes, as a separate process that a test can kill.
// Its only argument says where everything is.

import { setTimeout as pause } from 'node:timers/promises';
import { type EngineEvent, promptText } from '@parley/protocol';
import type { Engine, EngineTurn } from '../../../../../src/domain/engine.ts';
import { silentLogger } from '../../../../../src/domain/logger.ts';
import { openDiscordDoor } from '../../../../../src/doors/bots/discord/door.ts';
import { clock, closeOnSignal, doorOptions, openChatServer } from '../../chat-server.ts';

export interface BotServerSetup {
  readonly folder: string;
  readonly discord: { readonly url: string; readonly token: string };
}

const { folder, discord } = JSON.parse(process.argv[2] ?? '') as BotServerSetup;
const logger = silentLogger;

const engine: Engine = {
  name: 'messages-api',
  storesEvents: true,
  run: answer,
  close: () => Promise.resolve(),
};

async function* answer({ prompt }: EngineTurn): AsyncGenerator<EngineEvent, void, undefined> {
  await pause(20);
  const text = `Answer to ${promptText(prompt)}.`;
  yield { type: 'message', role: 'assistant', content: [{ type: 'text', text }] };
}

const server = await openChatServer({ folder, engine, logger, backoff: { firstMs: 50, longestMs: 500 } });
const door = openDiscordDoor({ ...doorOptions('discord', server, discord, logger), clock });
closeOnSignal(door, server);
