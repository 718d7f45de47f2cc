// The `messages-api` engine: assistants that answer through the Anthropic Messages API with our own agent loop.
import { setMaxListeners } from 'node:events';
import {
  type ContentBlock,
  type EngineEvent,
  type EngineFailure,
  type Message,
  ParleyError,
  type Prompt,
  type SessionId,
} from '@parley/protocol';
import { BoundedMap } from '../../basics/bounded-map.ts';
import type { Assistant } from '../../domain/assistant.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Engine, EngineTurn } from '../../domain/engine.ts';
import { type Logger, silentLogger } from '../../domain/logger.ts';
import type { ServerTool, Tool, ToolSource } from '../../domain/tool.ts';
import { type ApiClient, createApiClient } from './api-client.ts';
import { Conversation, fitsRequest } from './conversation.ts';
import { type MessagesApiLimits, messagesApiLimits } from './limits.ts';
import { ToolInputCheck } from './tool-input.ts';
import { runTurnLoop } from './turn-loop.ts';

export interface MessagesApiOptions {
  /** Without one, every turn fails with a message that says what to set. */
  readonly apiKey: string | undefined;
  readonly baseUrl?: string | undefined;
  /** For sessions whose settings don't name one. */
  readonly model: string;
  readonly assistants: ReadonlyMap<string, Assistant>;
  /** By the names that assistants use. */
  readonly toolSources: ReadonlyMap<string, ToolSource>;
  readonly limits?: Partial<MessagesApiLimits>;
  /** How many turns may run at once. */
  readonly maxTurns?: number;
  /** Turns on adaptive thinking and sets how it is shown; by default the model decides. Models before 4.6 refuse it. */
  readonly thinkingDisplay?: 'summarized' | 'omitted' | undefined;
  readonly clock: Clock;
  readonly logger?: Logger;
  readonly random?: () => number;
}

/** Sessions about which the engine remembers something; it finds out again what it forgets. */
const mostRemembered = 1_000;

export function createMessagesApiEngine(options: MessagesApiOptions): Engine {
  const { apiKey, baseUrl, clock, logger = silentLogger, random = Math.random } = options;
  const limits = { ...messagesApiLimits, ...options.limits };
  const client: ApiClient | undefined = apiKey ? createApiClient({ apiKey, baseUrl, clock }) : undefined;
  const inputCheck = new ToolInputCheck();
  const announcedCuts = new BoundedMap<SessionId, number>(mostRemembered);
  const withoutEarlierPictures = new BoundedMap<SessionId, true>(mostRemembered);
  let offersServerTools = true;

  async function* run(turn: EngineTurn): AsyncGenerator<EngineEvent, void, void> {
    const assistant = options.assistants.get(turn.session.assistant);
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
    yield { type: 'message', ...prompt };
    if (client === undefined) {
      yield failure(
        'unavailable',
        'No API key is set, so Claude cannot answer. Set ANTHROPIC_API_KEY and restart Parley.',
      );
      return;
    }
    const tools = await collectTools(assistant, options.toolSources, logger);
    const conversation = new Conversation({
      model: modelOf(turn) ?? options.model,
      assistant,
      tools: [...tools.values()],
      serverTools: offersServerTools ? serverToolsOf(assistant, options.toolSources, tools) : [],
      history,
      prompt,
      limits,
      thinkingDisplay: options.thinkingDisplay,
    });
    if (withoutEarlierPictures.get(turn.session.id)) conversation.dropPictures();
    yield* runTurnLoop({
      turn,
      conversation,
      client,
      tools,
      inputCheck,
      announcedCuts,
      limits,
      logger,
      random,
      onServerToolsRefused: () => {
        offersServerTools = false;
      },
      onPicturesRefused: () => withoutEarlierPictures.set(turn.session.id, true),
    });
  }

  return {
    name: 'messages-api',
    storesEvents: true,
    ...(options.maxTurns !== undefined && { maxTurns: options.maxTurns }),
    async *run(turn) {
      // Every tool and every permission of the turn listens to it.
      setMaxListeners(0, turn.signal);
      try {
        yield* run(turn);
      } catch (thrown) {
        const { code, message } = ParleyError.from(thrown);
        if (code === 'internal')
          logger.error({ err: thrown, turn: turn.id }, 'the messages-api engine failed');
        yield { type: 'failed', code, message, recoverable: true };
      }
    },
    async close() {},
  };
}

function toMessage(prompt: Prompt): Message {
  const content = prompt.flatMap((part): ContentBlock[] => {
    switch (part.type) {
      case 'text':
        return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
      case 'image':
        return [{ type: 'image', source: { type: 'base64', media_type: part.mediaType, data: part.data } }];
      default:
        return part satisfies never;
    }
  });
  return { role: 'user', content };
}

/** A source that cannot be reached doesn't stop the turn: the model works with the other tools. */
async function collectTools(
  assistant: Assistant,
  sources: ReadonlyMap<string, ToolSource>,
  logger: Logger,
): Promise<ReadonlyMap<string, Tool>> {
  const lists = await Promise.all(
    assistant.tools.map(async (name) => {
      try {
        return (await sources.get(name)?.tools()) ?? [];
      } catch (thrown) {
        logger.warn({ err: thrown, source: name }, 'a tool source could not list its tools');
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

/** Our own tool wins over a tool of the service with the same name. */
function serverToolsOf(
  assistant: Assistant,
  sources: ReadonlyMap<string, ToolSource>,
  tools: ReadonlyMap<string, Tool>,
): readonly ServerTool[] {
  return assistant.tools
    .flatMap((name) => sources.get(name)?.serverTools ?? [])
    .filter(({ name }, at, all) => !tools.has(name) && all.findIndex((tool) => tool.name === name) === at);
}

function modelOf({ session }: EngineTurn): string | undefined {
  return session.settings.model || undefined;
}

function failure(code: EngineFailure['code'], message: string): EngineFailure {
  return { type: 'failed', code, message, recoverable: false };
}
