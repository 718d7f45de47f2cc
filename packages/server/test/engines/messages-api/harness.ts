// Drives the engine as the gateway does: one event at a time, with messages stored as history for the next turn.
import { randomUUID } from 'node:crypto';
import {
  type Decision,
  type EngineEvent,
  type Message,
  type PermissionRequest,
  type Prompt,
  type Session,
} from '@parley/protocol';
import { type AnthropicStandIn, noFallback, startAnthropicStandIn } from '@parley/stand-ins';
import type { Assistant } from '../../../src/domain/assistant.ts';
import type { Engine } from '../../../src/domain/engine.ts';
import type { Logger } from '../../../src/domain/logger.ts';
import type { RecentMessages } from '../../../src/domain/store.ts';
import type { Tool, ToolSource } from '../../../src/domain/tool.ts';
import {
  createMessagesApiEngine,
  type MessagesApiOptions,
} from '../../../src/engines/messages-api/engine.ts';

const model = 'claude-sonnet-5-5';

const assistant: Assistant = {
  name: 'notes',
  label: 'Notes',
  systemPrompt: 'You look after notes.',
  tools: ['test'],
};

export interface HarnessOptions extends Partial<MessagesApiOptions> {
  readonly tools?: readonly Tool[];
  readonly assistant?: Partial<Assistant>;
}

export interface TurnOptions {
  readonly signal?: AbortSignal;
  readonly settings?: Session['settings'];
  readonly askPermission?: (request: PermissionRequest, signal?: AbortSignal) => Promise<Decision>;
  /** Sees each event before the engine continues. */
  readonly onEvent?: (event: EngineEvent) => void | Promise<void>;
}

export class Harness implements AsyncDisposable {
  readonly api: AnthropicStandIn;
  readonly engine: Engine;
  readonly sessionId = randomUUID();
  history: Message[] = [];
  /** How many earlier turns the engine read in the last turn. */
  turnsRead = 0;

  private constructor(api: AnthropicStandIn, options: HarnessOptions) {
    this.api = api;
    const { tools = [], assistant: changes, limits, ...rest } = options;
    this.engine = createMessagesApiEngine({
      apiKey: 'sk-test-secret-key',
      baseUrl: api.url,
      model,
      assistants: new Map([['notes', { ...assistant, ...changes }]]),
      toolSources: new Map([['test', sourceOf(tools)]]),
      clock: { now: () => Date.now() },
      ...rest,
      limits: { firstPauseMs: 5, longestPauseMs: 20, ...limits },
    });
  }

  static async start(options: HarnessOptions = {}): Promise<Harness> {
    return new Harness(await startAnthropicStandIn({ fallback: noFallback }), options);
  }

  /** Runs one turn and stores its messages, as the gateway does. */
  async prompt(prompt: string | Prompt, options: TurnOptions = {}): Promise<EngineEvent[]> {
    const events: EngineEvent[] = [];
    const earlier = [...this.history];
    this.turnsRead = 0;
    const run = this.engine.run({
      id: randomUUID(),
      session: this.#session(options.settings ?? {}),
      prompt: typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt,
      signal: options.signal ?? new AbortController().signal,
      saveStart: () => Promise.resolve(),
      history: (isWanted) =>
        Promise.resolve(
          recentOf(earlier, (turn) => {
            this.turnsRead += 1;
            return isWanted(turn);
          }),
        ),
      askPermission: options.askPermission ?? (() => Promise.resolve({ behavior: 'deny' })),
    });
    for await (const event of run) {
      events.push(event);
      if (event.type === 'message') this.history.push({ role: event.role, content: event.content });
      await options.onEvent?.(event);
    }
    return events;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.engine.close();
    await this.api.close();
  }

  #session(settings: Session['settings']): Session {
    return {
      id: this.sessionId,
      person: 'anna',
      engine: 'messages-api',
      assistant: 'notes',
      title: '',
      createdAt: 0,
      updatedAt: 0,
      settings,
    };
  }
}

/** As a store returns them, with a turn for every prompt. */
export function recentOf(
  messages: readonly Message[],
  isWanted: (turn: readonly Message[]) => boolean,
): RecentMessages {
  const starts = messages.flatMap(({ role, content }, at) =>
    at === 0 || (role === 'user' && !content.some(({ type }) => type === 'tool_result')) ? [at] : [],
  );
  const turns = starts.map((start, at) => messages.slice(start, starts[at + 1]));
  const refused = turns.findLastIndex((turn) => !isWanted(turn));
  const wanted = turns.slice(refused + 1);
  return { turns: wanted.map((said) => ({ messages: said, end: 'completed' })), olderTurns: refused + 1 };
}

function sourceOf(tools: readonly Tool[]): ToolSource {
  return { name: 'test', tools: () => Promise.resolve(tools), close: () => Promise.resolve() };
}

export function tool(
  name: string,
  run: Tool['run'],
  inputSchema: Tool['inputSchema'] = { type: 'object' },
): Tool {
  return { name, description: `The tool ${name}.`, inputSchema, run };
}

export function ofType<T extends EngineEvent['type']>(
  events: readonly EngineEvent[],
  type: T,
): Extract<EngineEvent, { type: T }>[] {
  return events.filter((event): event is Extract<EngineEvent, { type: T }> => event.type === type);
}

export function streamedText(events: readonly EngineEvent[]): string {
  return ofType(events, 'text.delta')
    .map(({ text }) => text)
    .join('');
}

export function types(events: readonly EngineEvent[]): EngineEvent['type'][] {
  return events.map(({ type }) => type);
}

/** A logger that collects its lines. */
export function loggerTo(entries: unknown[]): Logger {
  const log = (fields: unknown): void => void entries.push(fields);
  const logger: Logger = { debug: log, info: log, warn: log, error: log, child: () => logger };
  return logger;
}
