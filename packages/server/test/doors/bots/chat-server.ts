// The server behind a bot: the real gateway, a real database and the core of the bots, with the engine of the test.

import { join } from 'node:path';
import type { ChatService } from '@parley/protocol';
import { createOutgoing } from '../../../src/basics/outgoing.ts';
import { createAccess, onlyOwnSessions } from '../../../src/domain/access.ts';
import type { Engine } from '../../../src/domain/engine.ts';
import type { Logger } from '../../../src/domain/logger.ts';
import { createPeople, type People } from '../../../src/domain/people.ts';
import { createShares } from '../../../src/domain/shares.ts';
import type { BotDoor, BotDoorOptions } from '../../../src/doors/bots/core/bot-door.ts';
import { BotState } from '../../../src/doors/bots/core/bot-state.ts';
import {
  type BotSettings,
  type ChatCore,
  type ChatCoreOptions,
  type ChatSettings,
  createChatCore,
} from '../../../src/doors/bots/core/chat-core.ts';
import { type MessageLogSettings, openMessageLog } from '../../../src/doors/bots/core/message-log.ts';
import { openMessageTool } from '../../../src/doors/bots/core/message-tool.ts';
import { openSessionMap } from '../../../src/doors/bots/core/session-map.ts';
import type { ClaudeCodeEngine } from '../../../src/engines/claude-code/engine.ts';
import { createCodeSessions } from '../../../src/engines/claude-code/sessions/code-sessions.ts';
import type { RunningGateway } from '../../../src/gateway/gateway.ts';
import { openSqliteStore, type SqliteStore } from '../../../src/stores/sqlite/store.ts';
import { openTranscriptText } from '../../../src/stores/sqlite/transcript-text.ts';
import { createGuardedFetch } from '../../../src/tools/web/guarded-fetch.ts';
import { openGateway } from '../../support/open-gateway.ts';

export interface ChatServerOptions extends Pick<ChatCoreOptions, 'pace' | 'backoff'> {
  /** Where everything is stored. */
  readonly folder: string;
  readonly engine: Engine;
  readonly logger: Logger;
  readonly settings?: BotTestSettings | undefined;
  /** More bots, with the settings that differ for them. */
  readonly more?: Readonly<Record<string, Partial<BotSettings>>> | undefined;
  readonly transcript?: Partial<MessageLogSettings> | undefined;
  readonly queue?: number | undefined;
  /** Who is here, with which rights. If absent, everybody may do everything. */
  readonly people?: People | undefined;
}

/** The settings of all bots of a test. */
export type BotTestSettings = Partial<BotSettings & Omit<ChatSettings, 'bots'>>;

export interface ChatServer {
  readonly store: SqliteStore;
  readonly gateway: RunningGateway;
  readonly core: ChatCore;
  /** Close the doors first. */
  close(): Promise<void>;
}

export const clock = { now: () => Date.now() };

/** Resolves when the server has recovered and a door can be opened. */
export async function openChatServer(options: ChatServerOptions): Promise<ChatServer> {
  const {
    folder,
    engine,
    logger,
    settings,
    more = {},
    transcript,
    queue = 200,
    people: team,
    ...timing
  } = options;
  const newId = () => crypto.randomUUID();
  const defaults: BotSettings = {
    engine: engine.name,
    assistant: 'notes',
    model: 'claude-sonnet-4-5',
    workspace: folder,
    permissionMode: 'full',
    person: 'petra',
    isPersonNamed: true,
    ...settings,
  };
  const bots = Object.entries({ telegram: {}, discord: {}, ...more });
  const store = await openSqliteStore({ file: join(folder, 'parley.db') });
  const people = team ?? createPeople(['sebastian', 'petra', 'jonas', 'anna']);
  const gateway = openGateway({
    store,
    ...(team && { access: createAccess(people, createShares(store.shares, clock)) }),
    engines: [engine],
    clock,
    newId,
    logger,
    limits: { queue, log: { events: 1_024, bytes: 1_000_000 } },
  });
  const text = openTranscriptText(join(folder, 'words.db'));
  const codeSessions = isProgram(engine)
    ? createCodeSessions({
        engine,
        gateway,
        access: onlyOwnSessions,
        store,
        text,
        folders: {
          check: (_person, path) => Promise.resolve(path),
          sandboxOf: () => ({ kind: 'none', reason: 'off', required: false }),
        },
        clock,
        newId,
        logger,
      })
    : undefined;
  const messageTool = await openMessageTool((chat, text) => core.send(chat, text), logger);
  const core: ChatCore = createChatCore({
    messageTool,
    gateway,
    codeSessions,
    outbox: store.outbox,
    people,
    map: await openSessionMap(join(folder, 'sessions.json'), clock, logger),
    messageLog: openMessageLog(
      {
        enabled: false,
        path: join(folder, 'transcript.jsonl'),
        maxBytes: 1e6,
        maxFiles: 3,
        ...transcript,
      },
      logger,
    ),
    settings: {
      bots: new Map(bots.map(([name, own]) => [name, { ...defaults, ...own }])),
      people: {},
      models: () => [defaults.model],
      maxToolIterations: 20,
      summaryPrompt: { enabled: false, template: '' },
      ...settings,
    },
    clock,
    newId,
    logger,
    ...timing,
  });
  await core.prepare();
  await gateway.recover();
  return {
    store,
    gateway,
    core,
    async close() {
      await core.close();
      await messageTool.close();
      await codeSessions?.close();
      await text.close();
      await gateway.close();
      await engine.close();
      await store.close();
    },
  };
}

/** A door for the service's stand-in. */
export function doorOptions(
  service: ChatService,
  { core, store }: ChatServer,
  api: { readonly url: string; readonly token: string },
  logger: Logger,
): BotDoorOptions {
  const variable = service.toUpperCase();
  return {
    name: service,
    places: { token: `${variable}_BOT_TOKEN`, allowFrom: `${variable}_ALLOW_FROM` },
    core,
    state: new BotState({ name: service, kind: service }, clock),
    outbox: store.outbox,
    token: api.token,
    apiRoot: api.url,
    allowFrom: ['*'],
    outgoing: createOutgoing(),
    sendHttp: createGuardedFetch({ exceptions: [new URL(api.url).host] }),
    logger,
  };
}

/** For a server in a separate process. */
export function closeOnSignal(door: BotDoor, server: ChatServer): void {
  process.once('SIGTERM', () => void door.close().then(() => server.close()));
}

/** Whether the real program answers. */
function isProgram(engine: Engine): engine is ClaudeCodeEngine {
  return 'homes' in engine;
}
