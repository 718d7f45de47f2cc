// Which session answers a chat: the one in the session map, or a new one with the settings of the chat's bot.
// The map is `sessions.json`, which holds session ids and times but no text of any message.
import { mkdir, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  type EngineName,
  ParleyError,
  type PersonName,
  type Prompt,
  type Session,
  SessionId,
} from '@parley/protocol';
import { z } from 'zod';
import { replaceFile } from '../../../basics/atomic-file.ts';
import { BoundedMap } from '../../../basics/bounded-map.ts';
import type { Clock, NewId } from '../../../domain/clock.ts';
import type { AdmittedPrompt, Gateway, NewSession } from '../../../domain/gateway.ts';
import type { Logger } from '../../../domain/logger.ts';
import { type ChatAddress, conversationKey } from './bot.ts';
import { type MessageTool, messageToolName } from './message-tool.ts';

export interface SessionSettings {
  readonly engine: EngineName;
  /** For the messages-api engine. */
  readonly assistant: string;
  readonly model: string;
  readonly workspace: string;
  /** `full` lets the program do everything without asking; `ask` brings its questions to the chat. */
  readonly permissionMode: 'full' | 'ask';
}

export interface ChatSessionsSetup {
  readonly gateway: Gateway;
  readonly map: SessionMap;
  /** The settings of the chat's bot. */
  readonly settingsOf: (chat: ChatAddress) => SessionSettings;
  readonly newId: NewId;
  readonly messageTool: Pick<MessageTool, 'mcpConfigFor'> | undefined;
}

export class ChatSessions {
  readonly #setup: ChatSessionsSetup;
  /**
   * The chat that each session is configured for since the server started: the address of the message tool changes
   * with every start. A session that drops out of this map is configured again.
   */
  readonly #configuredFor = new BoundedMap<SessionId, string>(1_000);

  constructor(setup: ChatSessionsSetup) {
    this.#setup = setup;
  }

  /** The model of sessions that start in the chat. */
  modelFor(chat: ChatAddress): string {
    return this.#setup.settingsOf(chat).model;
  }

  /** Resolves once the prompt is durable and the chat's session is in the map. */
  async prompt(chat: ChatAddress, person: PersonName, prompt: Prompt, key: string): Promise<AdmittedPrompt> {
    const { gateway, map } = this.#setup;
    const admit = (session: SessionId | NewSession) =>
      gateway.prompt({ person, session, prompt, door: chat.channel, key });
    const session = await this.current(chat, person);
    const admitted = await admit(session ? session.id : await this.#newSession(chat));
    if (session?.id !== admitted.session.id) await map.set(conversationKey(chat), admitted.session.id);
    return admitted;
  }

  /** The chat's session, ready to use. Undefined when the chat has none, or its session was deleted. */
  async current(chat: ChatAddress, person: PersonName): Promise<Session | undefined> {
    const id = this.#setup.map.get(conversationKey(chat));
    if (id === undefined) return undefined;
    try {
      return await this.#configured(await this.#setup.gateway.getSession(person, id), chat);
    } catch (error) {
      if (error instanceof ParleyError && error.code === 'not_found') return undefined;
      throw error;
    }
  }

  async currentOrNew(chat: ChatAddress, person: PersonName): Promise<Session> {
    const known = await this.current(chat, person);
    if (known) return known;
    const session = await this.#setup.gateway.createSession(person, await this.#newSession(chat));
    await this.#setup.map.set(conversationKey(chat), session.id);
    return session;
  }

  /** Rejects with `not_found` when the session is not the person's. */
  async switchTo(chat: ChatAddress, person: PersonName, id: SessionId): Promise<Session> {
    const session = await this.#setup.gateway.getSession(person, id);
    await this.#setup.map.set(conversationKey(chat), id);
    return session;
  }

  async leave(chat: ChatAddress): Promise<void> {
    await this.#setup.map.remove(conversationKey(chat));
  }

  /** The service gave the chat a new address. */
  async move(from: ChatAddress, to: ChatAddress): Promise<void> {
    await this.#setup.map.move(conversationKey(from), conversationKey(to));
  }

  /** Updates the time in the map after a turn, unless the chat has switched to another session. */
  async touch(chat: ChatAddress, id: SessionId): Promise<void> {
    const key = conversationKey(chat);
    if (this.#setup.map.get(key) === id) await this.#setup.map.set(key, id);
  }

  async #newSession(chat: ChatAddress): Promise<NewSession> {
    const { engine, assistant, model, workspace } = this.#setup.settingsOf(chat);
    const id = this.#setup.newId();
    if (engine === 'messages-api') return { id, engine, assistant, settings: { model } };
    const key = conversationKey(chat);
    this.#configuredFor.set(id, key);
    const settings = { workingDir: workspace, model, chat: key, ...(await this.#programSettings(chat)) };
    return { id, engine, assistant, settings };
  }

  /** Gives a session of the program the message tool of this chat, once per start of the server. */
  async #configured(session: Session, chat: ChatAddress): Promise<Session> {
    const key = conversationKey(chat);
    if (session.engine !== 'claude-code' || this.#configuredFor.get(session.id) === key) return session;
    const { permissionMode, ...tool } = await this.#programSettings(chat);
    // A session that started elsewhere keeps the permission mode that it got there.
    const isOurs = session.settings.chat === key;
    const configured = await this.#setup.gateway.configure(session.person, session.id, {
      ...tool,
      ...(isOurs && { permissionMode }),
    });
    this.#configuredFor.set(session.id, key);
    return configured;
  }

  async #programSettings(chat: ChatAddress) {
    const { messageTool, settingsOf } = this.#setup;
    return {
      permissionMode: settingsOf(chat).permissionMode === 'full' ? 'bypassPermissions' : 'default',
      ...(messageTool && {
        mcpConfig: await messageTool.mcpConfigFor(chat),
        allowedTools: [messageToolName],
      }),
    };
  }
}

const SessionRecord = z.object({ sessionId: SessionId, updatedAt: z.iso.datetime() });
type SessionRecord = z.infer<typeof SessionRecord>;

/** `sessions.json`: a JSON object from `channel:chatId` to session id and time. */
export interface SessionMap {
  get(conversation: string): SessionId | undefined;
  /** Resolves when the file is written. When writing fails, it logs the error and the map continues in memory. */
  set(conversation: string, id: SessionId): Promise<void>;
  remove(conversation: string): Promise<void>;
  move(from: string, to: string): Promise<void>;
}

/** Never rejects: a file that cannot be read is logged and renamed, so that nothing in it is lost. */
export async function openSessionMap(file: string, clock: Clock, logger: Logger): Promise<SessionMap> {
  const records = await load(file, logger);
  let writing: Promise<void> = Promise.resolve();
  let isWriteWaiting = false;

  /** Changes during a write go out together in the next one. */
  function save(): Promise<void> {
    if (isWriteWaiting) return writing;
    isWriteWaiting = true;
    writing = writing.then(async () => {
      isWriteWaiting = false;
      try {
        await mkdir(dirname(file), { recursive: true, mode: 0o700 });
        await replaceFile(file, `${JSON.stringify(Object.fromEntries(records), undefined, 2)}\n`);
      } catch (error) {
        logger.error({ event: 'error', err: error, file }, 'failed to write the session map');
      }
    });
    return writing;
  }

  return {
    get: (conversation) => records.get(conversation)?.sessionId,
    set(conversation, id) {
      records.set(conversation, { sessionId: id, updatedAt: new Date(clock.now()).toISOString() });
      return save();
    },
    remove(conversation) {
      return records.delete(conversation) ? save() : Promise.resolve();
    },
    move(from, to) {
      const record = records.get(from);
      if (!record) return Promise.resolve();
      records.delete(from);
      records.set(to, record);
      return save();
    },
  };
}

async function load(file: string, logger: Logger): Promise<Map<string, SessionRecord>> {
  try {
    const known = z.record(z.string(), z.unknown()).parse(JSON.parse(await readFile(file, 'utf8')));
    const records = Object.entries(known).flatMap(([key, value]): [string, SessionRecord][] => {
      const record = SessionRecord.safeParse(value);
      return record.success ? [[key, record.data]] : [];
    });
    return new Map(records);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    logger.error({ event: 'error', err: error, file }, 'failed to read the session map');
    await rename(file, `${file}.unreadable`).catch(() => undefined);
    return new Map();
  }
}
