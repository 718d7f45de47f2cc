// Which session answers a chat: the one in the map, or a new one with the settings of its bot. Sessions of the
// program are given the message tool, whose address is another one each time the server starts.
import {
  type EngineName,
  ParleyError,
  type PersonName,
  type Prompt,
  type Session,
  type SessionId,
} from '@parley/protocol';
import type { NewId } from '../../../domain/clock.ts';
import type { AdmittedPrompt, Gateway, NewSession } from '../../../domain/gateway.ts';
import { type ChatAddress, conversationKey } from './channel.ts';
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
  readonly map: SessionMap;
  /** Those of the bot in whose chat it is. */
  readonly settingsOf: (chat: ChatAddress) => SessionSettings;
  readonly newId: NewId;
  readonly messageTool: Pick<MessageTool, 'mcpConfigFor'> | undefined;
}

/** Sessions that are known to have the message tool; those forgotten here are given it again. */
const mostEquipped = 1_000;

export class ChatSessions {
  readonly #setup: ChatSessionsSetup;
  readonly #equipped = new Map<SessionId, string>();

  constructor(setup: ChatSessionsSetup) {
    this.#setup = setup;
  }

  /** Of sessions that are begun in the chat. */
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

  /** The session of the chat, ready for use. Undefined when it has none, or not any more. */
  async current(chat: ChatAddress, person: PersonName): Promise<Session | undefined> {
    const id = this.#setup.map.get(conversationKey(chat));
    if (id === undefined) return undefined;
    try {
      return await this.#equip(await this.#setup.gateway.getSession(person, id), chat);
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

  /** `not_found` when the session is not the person's. */
  async switchTo(chat: ChatAddress, person: PersonName, id: SessionId): Promise<Session> {
    const session = await this.#setup.gateway.getSession(person, id);
    await this.#setup.map.set(conversationKey(chat), id);
    return session;
  }

  async leave(chat: ChatAddress): Promise<void> {
    await this.#setup.map.remove(conversationKey(chat));
  }

  async move(from: ChatAddress, to: ChatAddress): Promise<void> {
    await this.#setup.map.move(conversationKey(from), conversationKey(to));
  }

  /** A turn is over: the map says when, unless the chat has gone elsewhere meanwhile. */
  async keep(chat: ChatAddress, id: SessionId): Promise<void> {
    const key = conversationKey(chat);
    if (this.#setup.map.get(key) === id) await this.#setup.map.set(key, id);
  }

  async #newSession(chat: ChatAddress): Promise<NewSession> {
    const { engine, assistant, model, workspace } = this.#setup.settingsOf(chat);
    const id = this.#setup.newId();
    if (engine === 'messages-api') return { id, engine, assistant, settings: { model } };
    this.#remember(id, conversationKey(chat));
    return {
      id,
      engine,
      assistant,
      settings: {
        workingDir: workspace,
        model,
        chat: conversationKey(chat),
        ...(await this.#equipment(chat)),
      },
    };
  }

  /** Once for each session and start of the server. */
  async #equip(session: Session, chat: ChatAddress): Promise<Session> {
    const key = conversationKey(chat);
    if (session.engine !== 'claude-code' || this.#equipped.get(session.id) === key) return session;
    const { permissionMode, ...tool } = await this.#equipment(chat);
    // A session that was begun elsewhere keeps the mode that it was given there.
    const isOurs = session.settings['chat'] === key;
    const equipped = await this.#setup.gateway.configure(session.person, session.id, {
      ...tool,
      ...(isOurs && { permissionMode }),
    });
    this.#remember(session.id, key);
    return equipped;
  }

  async #equipment(chat: ChatAddress) {
    const { messageTool, settingsOf } = this.#setup;
    return {
      permissionMode: settingsOf(chat).permissionMode === 'full' ? 'bypassPermissions' : 'default',
      ...(messageTool && {
        mcpConfig: await messageTool.mcpConfigFor(chat),
        allowedTools: [messageToolName],
      }),
    };
  }

  #remember(id: SessionId, key: string): void {
    this.#equipped.set(id, key);
    const [oldest] = this.#equipped.keys();
    if (this.#equipped.size > mostEquipped && oldest !== undefined) this.#equipped.delete(oldest);
  }
}
