// What the harnesses of all chat services share: a server behind the bot, an engine that the test scripts, a log.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChatService, type EngineEvent, type EngineName, promptText } from '@parley/protocol';
import { onTestFinished } from 'vitest';
import type { Backoff } from '../../../src/basics/backoff.ts';
import type { Engine, EngineTurn } from '../../../src/domain/engine.ts';
import type { LogFields, Logger } from '../../../src/domain/logger.ts';
import type { People } from '../../../src/domain/people.ts';
import type { BotDoor, BotDoorOptions } from '../../../src/doors/bots/core/bot-door.ts';
import type { BotState } from '../../../src/doors/bots/core/bot-state.ts';
import type { MessageLogSettings } from '../../../src/doors/bots/core/message-log.ts';
import type { RunningGateway } from '../../../src/gateway/gateway.ts';
import type { SqliteStore } from '../../../src/stores/sqlite/store.ts';
import { type BotTestSettings, doorOptions, openChatServer } from './chat-server.ts';

type Script = (turn: EngineTurn) => AsyncIterable<EngineEvent>;

/** Echoes every prompt, or runs what the test scripted for it. */
export class SteppedEngine implements Engine {
  readonly storesEvents: boolean;
  readonly name: EngineName;
  readonly turns: EngineTurn[] = [];
  readonly scripts = new Map<string, Script>();

  constructor(name: EngineName = 'claude-code') {
    this.name = name;
    this.storesEvents = name === 'messages-api';
  }

  run(turn: EngineTurn): AsyncIterable<EngineEvent> {
    this.turns.push(turn);
    return (this.scripts.get(promptText(turn.prompt)) ?? echo)(turn);
  }

  async close(): Promise<void> {}
}

export interface LogLine {
  readonly level: string;
  readonly fields: LogFields;
  readonly message: string;
}

export interface BotOptions {
  readonly folder?: string;
  readonly engine?: Engine;
  readonly settings?: BotTestSettings;
  readonly allowFrom?: readonly string[];
  readonly transcript?: Partial<MessageLogSettings>;
  readonly queue?: number;
  readonly people?: People;
  readonly backoff?: Backoff;
}

export interface RunningBot {
  readonly gateway: RunningGateway;
  readonly store: SqliteStore;
  readonly folder: string;
  readonly log: readonly LogLine[];
  readonly state: BotState;
  stop(): Promise<void>;
}

/** Resolves when the bot is connected. It stops after the test at the latest. */
export async function runBot(
  service: ChatService,
  options: BotOptions,
  api: { readonly url: string; readonly token: string },
  openDoor: (options: BotDoorOptions) => BotDoor,
): Promise<RunningBot> {
  const folder = options.folder ?? freshFolder();
  const log: LogLine[] = [];
  const logger = collecting(log);
  const server = await openChatServer({
    folder,
    engine: options.engine ?? new SteppedEngine(),
    logger,
    settings: options.settings,
    transcript: options.transcript,
    queue: options.queue ?? 20,
    people: options.people,
    pace: { firstMs: 10, everyMs: 50, typingMs: 1_000 },
    backoff: options.backoff ?? { firstMs: 20, longestMs: 100 },
  });
  const { store, gateway } = server;
  const { allowFrom = ['1001'] } = options;
  const shared = doorOptions(service, server, api, logger);
  const door = openDoor({ ...shared, allowFrom });
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= door.close().then(() => server.close()));
  onTestFinished(stop);
  await door.ready;
  return { gateway, store, folder, log, state: shared.state, stop };
}

/** The next messages can't be stored, because the database is full for a moment. */
export function failToReceive({ store: { outbox } }: RunningBot, times: number): void {
  const owe = outbox.owe.bind(outbox);
  let left = times;
  Object.assign(outbox, {
    owe: (...args: Parameters<typeof owe>) =>
      left-- > 0 ? Promise.reject(new Error('database or disk is full')) : owe(...args),
  });
}

/** How much the tests of kills do: a short version by default, PARLEY_LONG=1 for the long one. */
export const killing =
  process.env['PARLEY_LONG'] === '1'
    ? { messages: 1_000, kills: 20, chats: 8, timeoutMs: 1_800_000 }
    : { messages: 60, kills: 3, chats: 4, timeoutMs: 180_000 };

/** A server that runs in a separate process, so that a test can kill it. */
export function killableServer(script: () => string, setup: object, env = process.env) {
  let child: ChildProcess | undefined;
  const end = async (signal: NodeJS.Signals) => {
    const ending = child;
    child = undefined;
    if (!ending) return;
    const gone = once(ending, 'exit');
    ending.kill(signal);
    await gone;
  };
  onTestFinished(() => end('SIGKILL'));
  return {
    start: () => {
      child = spawn(process.execPath, [script(), JSON.stringify(setup)], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env,
      });
    },
    /** Kills at once. Resolves when the process is gone. */
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}

/** A folder for a bot's files. It is removed after the test. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bot-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function* echo({ prompt }: EngineTurn): AsyncGenerator<EngineEvent, void, undefined> {
  yield* say(`You said: ${promptText(prompt)}`);
}

export function* say(text: string): Generator<EngineEvent, void, undefined> {
  yield { type: 'text.delta', text };
  yield { type: 'message', role: 'assistant', content: [{ type: 'text', text }] };
}

/** Lets a script wait until the test opens the gate. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

function collecting(lines: LogLine[], own: LogFields = {}): Logger {
  const write = (level: string) => (fields: LogFields, message: string) =>
    void lines.push({ level, fields: { ...own, ...fields }, message });
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (fields) => collecting(lines, { ...own, ...fields }),
  };
}

/** Whether a text is the progress of a turn, not an answer. */
export function isProgress(text: string): boolean {
  return /^(Working …|Waiting for other|The service )/.test(text);
}
