// The server behind a bot: the real gateway, a real database and the core of the bots, with the engine of the test.
import { join } from 'node:path';
import type { Engine } from '../../../src/domain/engine.ts';
import type { Logger } from '../../../src/domain/logger.ts';
import {
  type BotSettings,
  type ChatCore,
  type ChatCoreOptions,
  type ChatSettings,
  createChatCore,
} from '../../../src/doors/bots/core/chat-core.ts';
import { openSessionMap } from '../../../src/doors/bots/core/chat-sessions.ts';
import { openTranscriptLog, type TranscriptSettings } from '../../../src/doors/bots/core/transcript-log.ts';
import { createGateway, type RunningGateway } from '../../../src/gateway/gateway.ts';
import { openSqliteStore, type SqliteStore } from '../../../src/stores/sqlite/store.ts';

export interface ChatServerOptions extends Pick<ChatCoreOptions, 'pace' | 'backoff'> {
  /** Where everything is stored. */
  readonly folder: string;
  readonly engine: Engine;
  readonly logger: Logger;
  readonly settings?: BotTestSettings | undefined;
  /** More bots, with the settings that differ for them. */
  readonly more?: Readonly<Record<string, Partial<BotSettings>>> | undefined;
  readonly transcript?: Partial<TranscriptSettings> | undefined;
  readonly queue?: number | undefined;
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
  const { folder, engine, logger, settings, more = {}, transcript, queue = 200, ...timing } = options;
  const newId = () => crypto.randomUUID();
  const defaults: BotSettings = {
    engine: engine.name,
    assistant: 'notes',
    model: 'claude-sonnet-4-5',
    workspace: folder,
    permissionMode: 'full',
    person: 'petra',
    ...settings,
  };
  const bots = Object.entries({ telegram: {}, discord: {}, ...more });
  const store = await openSqliteStore({ file: join(folder, 'parley.db') });
  const gateway = createGateway({
    store,
    engines: [engine],
    clock,
    newId,
    logger,
    observer: { turnEnded: () => undefined },
    limits: { queue, keptEvents: 5_000, log: { events: 1_024, bytes: 1_000_000 } },
  });
  const core = await createChatCore({
    gateway,
    outbox: store.outbox,
    map: await openSessionMap(join(folder, 'sessions.json'), clock, logger),
    transcript: openTranscriptLog(
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
      await gateway.close();
      await engine.close();
      await store.close();
    },
  };
}
