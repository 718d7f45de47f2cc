// Which session answers a chat: the one in the session map, or a new one with the settings of the chat's bot.
import {
  type EngineName,
  ParleyError,
  type PersonName,
  type Prompt,
  type Session,
  type SessionId,
} from '@parley/protocol';
import { BoundedMap } from '../../../basics/bounded-map.ts';
import type { NewId } from '../../../domain/clock.ts';
import { type CodeSessions, openSession } from '../../../domain/code-sessions.ts';
import type { AdmittedPrompt, Gateway, NewSession } from '../../../domain/gateway.ts';
import { type ChatAddress, chatKey } from './bot.ts';
import type { ChatLog } from './chat-log.ts';
import { type MessageTool, messageToolName } from './message-tool.ts';
import type { SessionMap } from './session-map.ts';

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
  /** Includes the sessions that were started outside of Parley. */
  readonly codeSessions?: Pick<CodeSessions, 'list' | 'open' | 'adopt'> | undefined;
  readonly map: SessionMap;
  readonly log: ChatLog;
  /** The settings of the chat's bot. */
  readonly settingsOf: (chat: ChatAddress) => SessionSettings;
  /** Whether the person may turn off the program's questions. */
  readonly mayBypass: (person: PersonName) => boolean;
  readonly newId: NewId;
  readonly messageTool: Pick<MessageTool, 'mcpConfigFor'> | undefined;
}

/** How far back a chat looks for sessions that it may open. */
const maxPages = 10;
const pageSize = 100;

export type ListedSession = Pick<Session, 'id' | 'title' | 'updatedAt'>;

export class ChatSessions {
  readonly #setup: ChatSessionsSetup;
  /**
   * The chat that each session has been configured for since the server started. The address of the message tool
   * changes with every start. A session that drops out of this map is configured again.
   */
  readonly #configuredFor = new BoundedMap<SessionId, string>(1_000);

  constructor(setup: ChatSessionsSetup) {
    this.#setup = setup;
  }

  /** The model of sessions that start in the chat. */
  modelFor(chat: ChatAddress): string {
    return this.#setup.settingsOf(chat).model;
  }

  /** The session in the map, which may no longer exist. */
  idOf(chat: ChatAddress): Promise<SessionId | undefined> {
    return this.#setup.map.get(chatKey(chat));
  }

  /** The engine that answers the chat. */
  async engineOf(chat: ChatAddress, person: PersonName): Promise<EngineName> {
    return (await this.current(chat, person))?.engine ?? this.#setup.settingsOf(chat).engine;
  }

  /** Resolves once the prompt is durable and the chat's session is in the map. */
  async prompt(chat: ChatAddress, person: PersonName, prompt: Prompt, key: string): Promise<AdmittedPrompt> {
    const { gateway, map } = this.#setup;
    const admit = (session: SessionId | NewSession) =>
      gateway.prompt({ person, session, prompt, door: chat.channel, key });
    const session = await this.current(chat, person);
    const admitted = await admit(session ? session.id : await this.#newSession(chat, person));
    if (session?.id !== admitted.session.id) await map.set(chatKey(chat), admitted.session.id);
    return admitted;
  }

  /** The chat's session, ready to use. Undefined when the chat has none, or its session was deleted. */
  async current(chat: ChatAddress, person: PersonName): Promise<Session | undefined> {
    const id = await this.idOf(chat);
    if (id === undefined) return undefined;
    const session =
      (await unlessMissing(this.#setup.gateway.getSession(person, id))) ??
      (await this.#adopt(chat, person, id));
    if (!session)
      this.#setup.log.write(
        'error',
        chat,
        { session: id },
        'the session of a chat does not exist; its next message starts a new one',
      );
    return session && this.#configured(session, chat);
  }

  async currentOrNew(chat: ChatAddress, person: PersonName): Promise<Session> {
    const known = await this.current(chat, person);
    if (known) return known;
    const session = await this.#setup.gateway.createSession(person, await this.#newSession(chat, person));
    await this.#setup.map.set(chatKey(chat), session.id);
    return session;
  }

  /** The newest sessions that the chat may switch to. */
  async recent(chat: ChatAddress, person: PersonName, limit: number): Promise<readonly ListedSession[]> {
    const { codeSessions } = this.#setup;
    if (!chat.isPrivate || !codeSessions) return this.#stored(chat, person, limit);
    const code = await codeSessions.list(person, { limit });
    const others = await this.#stored(chat, person, limit, ({ engine }) => engine !== 'claude-code');
    return [...code.sessions, ...others].sort((a, b) => b.updatedAt - a.updatedAt).slice(0, limit);
  }

  /** Rejects with `not_found` when the session is not the person's, or not one that this chat may open. */
  async switchTo(chat: ChatAddress, person: PersonName, id: SessionId): Promise<Session> {
    const { gateway, codeSessions, map } = this.#setup;
    const session = await openSession(gateway, chat.isPrivate ? codeSessions : undefined, person, id);
    if (!mayOpen(chat, session, await this.idOf(chat)))
      throw new ParleyError('not_found', 'There is no such session.');
    await map.set(chatKey(chat), id);
    return session;
  }

  async leave(chat: ChatAddress): Promise<void> {
    await this.#setup.map.remove(chatKey(chat));
  }

  /** The service gave the chat a new address. */
  async move(from: ChatAddress, to: ChatAddress): Promise<void> {
    await this.#setup.map.move(chatKey(from), chatKey(to));
  }

  /** Updates the time in the map after a turn, unless the chat has switched to another session. */
  async touch(chat: ChatAddress, id: SessionId): Promise<void> {
    const key = chatKey(chat);
    if ((await this.#setup.map.get(key)) === id) await this.#setup.map.set(key, id);
  }

  /** The newest sessions that Parley stores, among those that the chat may open. */
  async #stored(
    chat: ChatAddress,
    person: PersonName,
    limit: number,
    isWanted: (session: Session) => boolean = () => true,
  ): Promise<readonly Session[]> {
    const found: Session[] = [];
    const current = await this.idOf(chat);
    let cursor: string | undefined;
    for (let page = 0; page < maxPages && found.length < limit; page += 1) {
      const { sessions, next } = await this.#setup.gateway.listSessions(person, {
        limit: pageSize,
        ...(cursor !== undefined && { cursor }),
      });
      found.push(...sessions.filter((session) => mayOpen(chat, session, current) && isWanted(session)));
      if (next === undefined) break;
      cursor = next;
    }
    return found.slice(0, limit);
  }

  /** The map may come from another program and name a session that only the `claude` program knows. */
  async #adopt(chat: ChatAddress, person: PersonName, id: SessionId): Promise<Session | undefined> {
    const { gateway, codeSessions, settingsOf, log } = this.#setup;
    const { engine, model } = settingsOf(chat);
    if (!codeSessions || engine !== 'claude-code') return undefined;
    const session = await unlessMissing(codeSessions.adopt(person, id));
    if (!session) return undefined;
    log.write('inbound', chat, { session: id }, 'continues a session that was started outside of Parley');
    const settings = { model, chat: chatKey(chat), ...(await this.#programSettings(chat, person)) };
    return gateway.configure(person, session.id, settings);
  }

  async #newSession(chat: ChatAddress, person: PersonName): Promise<NewSession> {
    const { engine, assistant, model, workspace } = this.#setup.settingsOf(chat);
    const id = this.#setup.newId();
    const key = chatKey(chat);
    if (engine === 'messages-api') return { id, engine, assistant, settings: { model, chat: key } };
    this.#configuredFor.set(id, key);
    const settings = {
      workingDir: workspace,
      model,
      chat: key,
      ...(await this.#programSettings(chat, person)),
    };
    return { id, engine, assistant, settings };
  }

  /** Gives a Claude Code session this chat's message tool, once per server start. */
  async #configured(session: Session, chat: ChatAddress): Promise<Session> {
    const key = chatKey(chat);
    if (session.engine !== 'claude-code' || this.#configuredFor.get(session.id) === key) return session;
    const { permissionMode, ...tool } = await this.#programSettings(chat, session.person);
    // A session that started elsewhere keeps the permission mode that it got there.
    const isOurs = session.settings.chat === key;
    const configured = await this.#setup.gateway.configure(session.person, session.id, {
      ...tool,
      ...(isOurs && { permissionMode }),
    });
    this.#configuredFor.set(session.id, key);
    return configured;
  }

  async #programSettings(chat: ChatAddress, person: PersonName) {
    const { messageTool, settingsOf, mayBypass } = this.#setup;
    // A bot gives nobody more rights: people who may not turn off questions get them in the chat.
    const isFull = settingsOf(chat).permissionMode === 'full' && mayBypass(person);
    return {
      permissionMode: isFull ? 'bypassPermissions' : 'default',
      ...(messageTool && {
        mcpConfig: await messageTool.mcpConfigFor(chat),
        allowedTools: [messageToolName],
      }),
    };
  }
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof ParleyError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** Others can read a shared chat, so it may only open sessions that took place in it, and no private ones. */
function mayOpen(chat: ChatAddress, { id, settings }: Session, current: SessionId | undefined): boolean {
  return chat.isPrivate || settings.chat === chatKey(chat) || current === id;
}
