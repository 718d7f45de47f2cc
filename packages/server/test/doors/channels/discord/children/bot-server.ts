// A server with nothing but a Discord bot and an engine that echoes, as a process of its own that a test can kill.
// Its only argument says where everything is.

import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type EngineEvent, promptText } from '@parley/protocol';
import type { Engine, EngineTurn } from '../../../../../src/domain/engine.ts';
import { silentLogger } from '../../../../../src/domain/logger.ts';
import { BotState } from '../../../../../src/doors/channels/core/bot-state.ts';
import { createChatCore } from '../../../../../src/doors/channels/core/chat-core.ts';
import { openSessionMap } from '../../../../../src/doors/channels/core/session-map.ts';
import { openTranscriptLog } from '../../../../../src/doors/channels/core/transcript-log.ts';
import { openDiscordDoor } from '../../../../../src/doors/channels/discord/door.ts';
import { createGateway } from '../../../../../src/gateway/gateway.ts';
import { openSqliteStore } from '../../../../../src/stores/sqlite/store.ts';

export interface BotServerSetup {
  readonly folder: string;
  readonly discord: { readonly url: string; readonly token: string };
}

const { folder, discord } = JSON.parse(process.argv[2] ?? '') as BotServerSetup;
const clock = { now: () => Date.now() };
const newId = () => crypto.randomUUID();
const logger = silentLogger;

const engine: Engine = {
  name: 'messages-api',
  keepsEvents: true,
  run: answer,
  close: () => Promise.resolve(),
};

async function* answer({ prompt }: EngineTurn): AsyncGenerator<EngineEvent, void, undefined> {
  await pause(20);
  const text = `Answer to ${promptText(prompt)}.`;
  yield { type: 'message', role: 'assistant', content: [{ type: 'text', text }] };
}

const store = await openSqliteStore({ file: join(folder, 'parley.db') });
const gateway = createGateway({
  store,
  engines: [engine],
  clock,
  newId,
  logger,
  observer: { turnEnded: () => undefined },
  limits: { queue: 200, keptEvents: 1_000, log: { events: 1_024, bytes: 1_000_000 } },
});
const core = await createChatCore({
  gateway,
  outbox: store.outbox,
  map: await openSessionMap(join(folder, 'sessions.json'), clock, logger),
  transcript: openTranscriptLog({ enabled: false, path: '', maxBytes: 1, maxFiles: 1 }, logger),
  settings: {
    engine: 'messages-api',
    assistant: 'notes',
    model: 'claude-sonnet-4-5',
    workspace: folder,
    permissionMode: 'full',
    person: 'petra',
    people: {},
    maxToolIterations: 20,
    summaryPrompt: { enabled: false, template: '' },
  },
  clock,
  newId,
  logger,
  pauses: { firstMs: 50, mostMs: 500 },
});
await core.prepare();
await gateway.recover();
const door = openDiscordDoor({
  core,
  state: new BotState('discord', clock),
  outbox: store.outbox,
  token: discord.token,
  apiRoot: discord.url,
  allowFrom: ['*'],
  sendHttp: () => Promise.reject(new Error('no pictures here')),
  clock,
  logger,
});
process.once('SIGTERM', () => void stop());

async function stop(): Promise<void> {
  await door.close();
  await core.close();
  await gateway.close();
  await store.close();
}
