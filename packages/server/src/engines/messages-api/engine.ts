// The `messages-api` engine: assistants that answer through the Anthropic Messages API with our own agent loop.
import { setMaxListeners } from 'node:events';
import {
  type EngineEvent,
  type EngineFailure,
  type Message,
  ParleyError,
  type Session,
  type SessionId,
  say,
} from '@parley/protocol';
import { BoundedMap } from '../../basics/bounded-map.ts';
import { createOutgoing, type Outgoing } from '../../basics/outgoing.ts';
import { fairSlots } from '../../basics/slots.ts';
import type { Assistant } from '../../domain/assistant.ts';
import type { Clock } from '../../domain/clock.ts';
import { type Engine, type EngineTurn, failedBecause } from '../../domain/engine.ts';
import { type Logger, silentLogger } from '../../domain/logger.ts';
import { type Spending, unlimited } from '../../domain/spending.ts';
import type { RecentMessages } from '../../domain/store.ts';
import type { ServerTool, Tool, ToolSource } from '../../domain/tool.ts';
import { type ApiClient, createApiClient } from './api-client.ts';
import { Caution, type CautionLevel } from './caution.ts';
import { compactionPrompt } from './compaction.ts';
import { contextUse } from './context-use.ts';
import { Conversation, fitsRequest } from './conversation.ts';
import { type MessagesApiLimits, messagesApiLimits } from './limits.ts';
import { checkFiles, toMessage } from './prompt-message.ts';
import { ToolInputCheck } from './tool-input.ts';
import { runTurnLoop } from './turn-loop.ts';

/** May change while the engine runs. A turn keeps what it finds at its start. */
interface TurnSettings {
  /** For sessions whose settings don't name one. */
  readonly model: string;
  readonly assistants: ReadonlyMap<string, Assistant>;
  /** By the names that assistants use. */
  readonly toolSources: ReadonlyMap<string, ToolSource>;
  readonly limits?: Partial<MessagesApiLimits>;
  /** When to ask after something was read. */
  readonly caution?: CautionLevel;
}

export interface MessagesApiOptions extends TurnSettings {
  /** Without one, every turn fails with a message that says what to set. */
  readonly apiKey: string | undefined;
  readonly baseUrl?: string | undefined;
  /** How many turns may run at once. */
  readonly maxTurns?: number;
  /** Whether several people share them. */
  readonly isShared?: () => boolean;
  /** Turns on adaptive thinking and sets how it is shown; by default the model decides. Models before 4.6 refuse it. */
  readonly thinkingDisplay?: 'summarized' | 'omitted' | undefined;
  /** Decides who may still use the model. Everybody by default. */
  readonly spending?: Spending;
  /** How requests leave this machine. Directly by default. */
  readonly outgoing?: Outgoing;
  readonly clock: Clock;
  readonly logger?: Logger;
  readonly random?: () => number;
}

/** How many sessions the engine remembers something about. What it forgets, it finds out again. */
const maxRemembered = 1_000;

export function createMessagesApiEngine(options: MessagesApiOptions): Engine {
  const { apiKey, baseUrl, clock, logger = silentLogger, random = Math.random } = options;
  const outgoing = options.outgoing ?? createOutgoing();
  const client: ApiClient | undefined = apiKey
    ? createApiClient({ apiKey, baseUrl, outgoing, clock })
    : undefined;
  const inputCheck = new ToolInputCheck();
  const announcedCuts = new BoundedMap<SessionId, number>(maxRemembered);
  const withoutEarlierPictures = new BoundedMap<SessionId, true>(maxRemembered);
  let offersServerTools = true;

  async function* run(turn: EngineTurn): AsyncGenerator<EngineEvent, void, void> {
    const { assistants, toolSources, caution = 'normal' } = options;
    const limits = limitsNow();
    const assistant = assistants.get(turn.session.assistant);
    if (assistant === undefined) {
      yield failure('not_found', `There is no assistant named ${turn.session.assistant}.`);
      return;
    }
    const history = await turn.history(fitsRequest(limits));
    const prompt = toMessage(turn.prompt);
    if (prompt.content.length === 0) {
      yield failure('invalid', 'The message is empty. Write something first.');
      return;
    }
    const compaction = compactionPrompt(turn.prompt);
    if (compaction && history.turns.length === 0) {
      yield failure('invalid', say`There is nothing to compact yet.`);
      return;
    }
    yield { type: 'message', ...prompt };
    if (client === undefined) {
      yield failure(
        'unavailable',
        'No API key is set, so Claude cannot answer. Set ANTHROPIC_API_KEY and restart Parley.',
      );
      return;
    }
    const sources = assistant.tools.flatMap((name) => toolSources.get(name) ?? []);
    const release = holdAll(sources);
    try {
      const { conversation, tools } = await converse(
        turn.session,
        assistant,
        sources,
        history,
        compaction ?? prompt,
      );
      const watch = new Caution(caution, conversation.personWords);
      // The person sent the file, but somebody else may have written it.
      if (turn.prompt.some(({ type }) => type === 'file')) watch.note('outside');
      if (withoutEarlierPictures.get(turn.session.id)) conversation.dropPictures();
      const events = runTurnLoop({
        turn,
        conversation,
        caution: watch,
        client,
        tools,
        inputCheck,
        announcedCuts,
        limits,
        spending: options.spending ?? unlimited,
        logger,
        random,
        onServerToolsRefused: () => {
          offersServerTools = false;
        },
        onPicturesRefused: () => withoutEarlierPictures.set(turn.session.id, true),
        mayCallTools: !compaction,
      });
      let isDone = true;
      for await (const event of events) {
        isDone &&= event.type !== 'failed';
        yield event;
      }
      if (compaction && isDone && !turn.signal.aborted) yield compacted;
    } finally {
      release();
    }
  }

  /** What the model gets, and the tools that it may call. */
  async function converse(
    session: Session,
    assistant: Assistant,
    sources: readonly ToolSource[],
    history: RecentMessages,
    prompt: Message,
  ) {
    const offered = await collectTools(sources, logger);
    const { assistant: named, tools } = withCurrentNames(assistant, offered);
    const conversation = new Conversation({
      model: session.settings.model || options.model,
      assistant: named,
      tools: [...tools.values()],
      serverTools: offersServerTools ? serverToolsOf(sources, tools) : [],
      history,
      prompt,
      limits: limitsNow(),
      thinkingDisplay: options.thinkingDisplay,
    });
    return { conversation, tools };
  }

  function limitsNow(): MessagesApiLimits {
    return { ...messagesApiLimits, ...options.limits };
  }

  return {
    name: 'messages-api',
    storesEvents: true,
    check: (prompt) => checkFiles(prompt, limitsNow().contextTokens),
    async context(session, history) {
      const limits = limitsNow();
      const assistant = options.assistants.get(session.assistant);
      if (!assistant) return undefined;
      const sources = assistant.tools.flatMap((name) => options.toolSources.get(name) ?? []);
      const nothing: Message = { role: 'user', content: [{ type: 'text', text: ' ' }] };
      const past = await history(fitsRequest(limits));
      const { conversation } = await converse(session, assistant, sources, past, nothing);
      return contextUse(conversation.request({ allowTools: true }), limits.contextTokens);
    },
    // More turns would keep the processor so busy that everybody waits noticeably longer for the first word.
    ...(options.maxTurns !== undefined && { slots: fairSlots(options.maxTurns, 1 / 4, options.isShared) }),
    async *run(turn) {
      // Every tool call and every permission of the turn adds a listener.
      setMaxListeners(0, turn.signal);
      try {
        yield* run(turn);
      } catch (thrown) {
        const error = ParleyError.from(thrown);
        if (error.code === 'internal')
          logger.error({ err: thrown, turn: turn.id }, 'the messages-api engine failed');
        yield failedBecause(error, true);
      }
    },
    async close() {},
  };
}

/** A source that is replaced meanwhile stays usable until the turn ends. */
function holdAll(sources: readonly ToolSource[]): () => void {
  const releases = sources.map((source) => source.hold?.());
  return () => {
    for (const release of releases) release?.();
  };
}

/** A source that cannot be reached doesn't stop the turn: the model works with the other tools. */
async function collectTools(
  sources: readonly ToolSource[],
  logger: Logger,
): Promise<ReadonlyMap<string, Tool>> {
  const lists = await Promise.all(
    sources.map(async (source) => {
      try {
        return await source.tools();
      } catch (thrown) {
        logger.warn({ err: thrown, source: source.name }, 'a tool source could not list its tools');
        return [];
      }
    }),
  );
  const tools = new Map<string, Tool>();
  for (const tool of lists.flat()) {
    if (tools.has(tool.name))
      logger.warn({ tool: tool.name }, 'two tools have the same name; using the first one');
    else tools.set(tool.name, tool);
  }
  return tools;
}

/**
 * Replaces former names of tools in prompts and descriptions. If two tools had the same name, the prompt means the one
 * whose source the assistant lists first. A name that a tool still has is not replaced.
 */
function withCurrentNames(
  assistant: Assistant,
  tools: ReadonlyMap<string, Tool>,
): { readonly assistant: Assistant; readonly tools: ReadonlyMap<string, Tool> } {
  const names = new Map<string, string>();
  for (const { name, formerName } of tools.values()) {
    if (formerName !== undefined && !tools.has(formerName) && !names.has(formerName))
      names.set(formerName, name);
  }
  if (names.size === 0) return { assistant, tools };
  const current = (text: string) => text.replaceAll(/[\w-]+/g, (word) => names.get(word) ?? word);
  const { systemPrompt, reminder } = assistant;
  return {
    assistant: {
      ...assistant,
      systemPrompt: current(systemPrompt),
      ...(reminder && { reminder: { ...reminder, text: current(reminder.text) } }),
    },
    tools: new Map(
      [...tools].map(([name, tool]) => [name, { ...tool, description: current(tool.description) }]),
    ),
  };
}

/** Our own tool wins over a tool of the service with the same name. */
function serverToolsOf(
  sources: readonly ToolSource[],
  tools: ReadonlyMap<string, Tool>,
): readonly ServerTool[] {
  return sources
    .flatMap(({ serverTools = [] }) => serverTools)
    .filter(({ name }, at, all) => !tools.has(name) && all.findIndex((tool) => tool.name === name) === at);
}

const compacted: EngineEvent = {
  type: 'notice',
  code: 'compacted',
  message:
    'From here on, the model gets this summary in place of the earlier messages. They stay in the conversation.',
};

function failure(code: EngineFailure['code'], message: string): EngineFailure {
  return { type: 'failed', code, message, recoverable: false };
}
