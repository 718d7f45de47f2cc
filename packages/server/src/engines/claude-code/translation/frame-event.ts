// Turns a frame of the program into one event: the frame itself, verbatim, and what it means according to the driver.
import {
  type ClaudeEvent,
  type Command,
  type Frame,
  initialTranslationState,
  type MetadataEvent,
  streamPositionOf,
  subagentOf,
  type TranslationState,
  translate,
} from '@parley/claude-cli';
import type {
  ContentBlock,
  EngineFailure,
  FrameEvent,
  Meaning,
  OfferedCommand,
  PastEntry,
} from '@parley/protocol';

export interface TranslatedFrame {
  readonly event: FrameEvent;
  /** What the driver reports, for the engine itself. */
  readonly reported: readonly ClaudeEvent[];
  /** The turn fails with it if this frame is the last one. */
  readonly failure: EngineFailure | undefined;
  readonly state: TranslationState;
}

export function toFrameEvent(frame: Frame, before: TranslationState): TranslatedFrame {
  const { events: reported, state } = translate(frame, before);
  const event = frameEvent(frame, subagentOf(frame, before), reported.flatMap(toMeanings));
  return { event, reported, failure: reported.map(toFailure).find((one) => one !== undefined), state };
}

/** Translates lines of a transcript. Those of a subagent's own transcript don't name the subagent: `subagent` does. */
export function toPastEntries(frames: readonly Frame[], subagent?: string): PastEntry[] {
  let state = initialTranslationState;
  return frames.map((frame): PastEntry => {
    const { events, state: next } = translate(frame, state);
    // A transcript has the whole messages, so nothing is needed from pieces of them.
    const means = events.filter(({ type }) => type !== 'output').flatMap(toMeanings);
    const event = frameEvent(frame, subagent ?? subagentOf(frame, state), means);
    state = next;
    return { at: timeOf(frame), event };
  });
}

function frameEvent(frame: Frame, subagent: string | undefined, means: Meaning[]): FrameEvent {
  const piece = streamPositionOf(frame);
  return {
    type: 'frame',
    raw: frame.text,
    ...(frame.uuid !== undefined && { uuid: frame.uuid }),
    ...(subagent !== undefined && { subagent }),
    ...(piece && { piece }),
    means,
  };
}

function timeOf({ timestamp }: Frame): number | null {
  const time = Date.parse(timestamp ?? '');
  return Number.isNaN(time) ? null : time;
}

function toFailure(event: ClaudeEvent): EngineFailure | undefined {
  if (event.type !== 'error' || event.code !== 'turn_failed') return undefined;
  return { type: 'failed', code: 'unavailable', message: event.message, recoverable: true };
}

function toMeanings(event: ClaudeEvent): Meaning[] {
  switch (event.type) {
    case 'output':
      return [{ type: event.channel === 'text' ? 'text.delta' : 'thinking.delta', text: event.text }];
    case 'metric':
      return event.scope === 'turn' ? [usageOf(event)] : [];
    case 'metadata':
      return fromMetadata(event);
    case 'error':
    case 'status_change':
      return [];
    default:
      return event satisfies never;
  }
}

function usageOf(event: Extract<ClaudeEvent, { scope: 'turn' }>): Meaning {
  return {
    type: 'usage',
    model: event.model,
    usage: {
      inputTokens: event.inputTokens,
      outputTokens: event.outputTokens,
      cacheReadTokens: event.cacheReadTokens,
      cacheWriteTokens: event.cacheCreationTokens,
      costUsd: event.costUsd,
    },
    ...(event.durationMs !== undefined && { durationMs: event.durationMs }),
    totalCostUsd: event.totalCostUsd,
  };
}

function fromMetadata(event: MetadataEvent): Meaning[] {
  switch (event.kind) {
    case 'message': {
      const { role, messageId: id } = event;
      const content = event.content as readonly ContentBlock[];
      return [{ type: 'message', role, content: [...content], ...(id !== undefined && { id }) }];
    }
    case 'tool_use':
      return toolUse(event);
    case 'tool_input': {
      const { id, name: tool, json } = event;
      return [{ type: 'tool.delta', tool, json, ...(id !== undefined && { id }) }];
    }
    case 'tool_progress': {
      const message = `running for ${Math.round(event.seconds)} s`;
      return [{ type: 'tool.progress', id: event.toolUseId, tool: event.name, message }];
    }
    case 'tool_result':
      return toolResult(event);
    case 'tasks':
      return [{ type: 'todos', todos: [...event.tasks] }];
    case 'context': {
      const { type: _, kind: __, ...context } = event;
      return [{ type: 'context', ...context }];
    }
    case 'announcement': {
      const { code, text: message, tone, detail } = event;
      return [{ type: 'notice', code, message, tone, ...(detail !== undefined && { detail }) }];
    }
    case 'session':
    case 'settings':
      return [programOf(event)];
    case 'notice':
      return event.isKnown
        ? []
        : [{ type: 'unknown', name: `${event.frameType} ${event.subtype ?? ''}`.trim() }];
    case 'input_state':
    case 'turn_ended':
    case 'budget_warning':
    case 'warning':
      return [];
    default:
      return event satisfies never;
  }
}

type Metadata<Kind extends MetadataEvent['kind']> = Extract<MetadataEvent, { kind: Kind }>;

function toolUse({ id, name: tool, input, complete }: Metadata<'tool_use'>): Meaning[] {
  if (!complete) return [{ type: 'tool.delta', tool, json: '', ...(id !== undefined && { id }) }];
  return id === undefined ? [] : [{ type: 'tool.started', id, tool, input }];
}

function toolResult({
  toolUseId: id,
  name: tool,
  isError,
  isDenied,
  reason,
  isStopped,
  details,
}: Metadata<'tool_result'>): Meaning[] {
  if (id === undefined) return [];
  return [
    {
      type: 'tool.ended',
      id,
      tool,
      outcome: isError ? 'failed' : 'finished',
      ...(isDenied && { denied: true as const }),
      ...(reason !== undefined && { reason }),
      ...(isStopped && { stopped: true as const }),
      ...(details && { details: { ...details } }),
    },
  ];
}

function programOf(event: Metadata<'session' | 'settings'>): Meaning {
  const { permissionMode, commands } = event;
  return {
    type: 'program',
    ...(event.kind === 'session' && { model: event.model, workingDir: event.workingDir }),
    ...(permissionMode !== undefined && { permissionMode }),
    ...(commands && { commands: offered(commands) }),
  };
}

/** Commands are stored and sent again with every turn, and the program describes some in whole paragraphs. */
const longestDescription = 160;

/** The commands that people type, with short descriptions. The program also lists some that only its servers use. */
function offered(commands: readonly Command[]): OfferedCommand[] {
  return commands
    .filter(({ name, description = '' }) => !isInternal(name, description))
    .map(({ description, ...command }) => ({
      ...command,
      ...(description !== undefined && { description: inShort(description) }),
    }));
}

function isInternal(name: string, description: string): boolean {
  return name.startsWith('_') || name === 'heapdump' || /^\(removed\)|sessions only\)$/.test(description);
}

function inShort(description: string): string {
  const [line = ''] = description.split('\n', 1);
  return line.length > longestDescription ? `${line.slice(0, longestDescription).trimEnd()} …` : line;
}
