// Folds the events of a session into what the page shows. Pure. An event that is in already changes nothing, so that
// whoever comes back may begin with any number that they have seen.
import {
  addUsage,
  type ContentBlock,
  type Envelope,
  messageText,
  noUsage,
  type Prompt,
  promptText,
  type SessionEvent,
} from '@parley/protocol';
import type { Conversation, Part, ShownPrompt, ToolPart, TurnView } from './conversation.ts';

export function foldConversation(conversation: Conversation, envelope: Envelope): Conversation {
  if (envelope.seq <= conversation.seq) return conversation;
  return { ...apply(conversation, envelope), seq: envelope.seq };
}

function apply(conversation: Conversation, { turnId, at, event, seq }: Envelope): Conversation {
  if (event.type === 'queue.changed') {
    const queue = event.prompts.map(({ turnId: id, prompt }) => ({ turnId: id, prompt: shown(prompt) }));
    return { ...conversation, queue };
  }
  if (turnId === undefined) return conversation;
  if (event.type === 'turn.started') return begin(conversation, turnId, shown(event.prompt), at);
  const changed = changeTurn(conversation, turnId, (turn) => inTurn(turn, event, at));
  return event.type === 'artifact' ? { ...changed, recipe: { id: event.id, seq } } : changed;
}

function begin(conversation: Conversation, id: string, prompt: ShownPrompt, at: number): Conversation {
  const turn: TurnView = {
    id,
    prompt,
    startedAt: at,
    endedAt: undefined,
    status: 'running',
    parts: [],
    openFrom: 0,
    usage: noUsage,
    model: undefined,
    error: undefined,
  };
  return {
    ...conversation,
    turns: [...conversation.turns.filter((known) => known.id !== id), turn],
    queue: conversation.queue.filter((waiting) => waiting.turnId !== id),
  };
}

function inTurn(turn: TurnView, event: SessionEvent, at: number): TurnView {
  switch (event.type) {
    case 'text.delta':
      return withMore(turn, 'text', event.text);
    case 'thinking.delta':
      return withMore(turn, 'thinking', event.text);
    case 'message':
      return event.role === 'assistant' ? said(turn, event.content) : withResults(turn, event.content);
    case 'tool.started':
      return withPart(turn, startedTool(event));
    case 'tool.progress':
      return changeTool(turn, event.id, (tool) => ({ ...tool, progress: event.message }));
    case 'tool.ended':
      return changeTool(turn, event.id, (tool) => ({ ...tool, outcome: event.outcome }));
    case 'artifact':
      return withPart(turn, { kind: 'recipe', id: event.id });
    case 'notice':
      return withPart(turn, { kind: 'notice', message: event.message });
    case 'usage':
      return { ...turn, model: event.model, usage: addUsage(turn.usage, event.usage) };
    case 'permission.asked':
      return withPart(turn, { kind: 'permission', id: event.id, request: event.request, settled: undefined });
    case 'permission.settled': {
      const settled = { behavior: event.decision.behavior, reason: event.reason };
      return {
        ...turn,
        parts: turn.parts.map((part) =>
          part.kind === 'permission' && part.id === event.id ? { ...part, settled } : part,
        ),
      };
    }
    case 'turn.ended':
      return end(turn, event, at);
    default:
      return turn;
  }
}

function startedTool({ id, tool, input }: Extract<SessionEvent, { type: 'tool.started' }>): ToolPart {
  return { kind: 'tool', id, tool, input, progress: undefined, outcome: 'running', result: undefined };
}

/** What a turn left open when it ended will not go on. */
function end(turn: TurnView, event: Extract<SessionEvent, { type: 'turn.ended' }>, at: number): TurnView {
  const parts = turn.parts.map(
    (part): Part =>
      part.kind === 'tool' && part.outcome === 'running' ? { ...part, outcome: 'failed' } : part,
  );
  const spoke = parts.some((part) => part.kind === 'text');
  return {
    ...turn,
    status: event.outcome,
    endedAt: at,
    usage: event.usage,
    parts: spoke || event.text === '' ? parts : [...parts, { kind: 'text', text: event.text }],
    openFrom: parts.length,
    error: event.error && { message: event.error.message, recoverable: event.error.recoverable },
  };
}

/** Pieces of one kind that follow each other within a message are one part. */
function withMore(turn: TurnView, kind: 'text' | 'thinking', text: string): TurnView {
  const last = turn.parts.at(-1);
  if (last?.kind === kind && turn.parts.length > turn.openFrom)
    return { ...turn, parts: turn.parts.with(turn.parts.length - 1, { kind, text: last.text + text }) };
  return withPart(turn, { kind, text });
}

/** The whole message is right where it differs from its pieces. */
function said(turn: TurnView, content: readonly ContentBlock[]): TurnView {
  const isOpenText = (part: Part, at: number) => part.kind === 'text' && at >= turn.openFrom;
  const pieces = turn.parts
    .filter(isOpenText)
    .map((part) => (part.kind === 'text' ? part.text : ''))
    .join('');
  const whole = messageText(content);
  const parts =
    whole === pieces
      ? turn.parts
      : [
          ...turn.parts.filter((part, at) => !isOpenText(part, at)),
          ...(whole === '' ? [] : [{ kind: 'text' as const, text: whole }]),
        ];
  return { ...turn, parts, openFrom: parts.length };
}

function withResults(turn: TurnView, content: readonly ContentBlock[]): TurnView {
  const results = new Map(
    content.flatMap((block) =>
      block.type === 'tool_result' ? [[String(block['tool_use_id']), resultText(block['content'])]] : [],
    ),
  );
  const parts = turn.parts.map((part) => {
    const result = part.kind === 'tool' ? results.get(part.id) : undefined;
    return result === undefined ? part : { ...part, result };
  });
  return { ...turn, parts, openFrom: parts.length };
}

function resultText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((block: { type?: unknown; text?: unknown }) =>
      block.type === 'text' && typeof block.text === 'string' ? block.text : `[${String(block.type)}]`,
    )
    .join('\n');
}

function withPart(turn: TurnView, part: Part): TurnView {
  return { ...turn, parts: [...turn.parts, part] };
}

function changeTool(turn: TurnView, id: string, change: (tool: ToolPart) => ToolPart): TurnView {
  const parts = turn.parts.map((part) => (part.kind === 'tool' && part.id === id ? change(part) : part));
  return { ...turn, parts };
}

function changeTurn(
  conversation: Conversation,
  id: string,
  change: (turn: TurnView) => TurnView,
): Conversation {
  const at = conversation.turns.findLastIndex((turn) => turn.id === id);
  const turn = conversation.turns[at];
  if (!turn) return conversation;
  return { ...conversation, turns: conversation.turns.with(at, change(turn)) };
}

function shown(prompt: Prompt): ShownPrompt {
  return { text: promptText(prompt), images: prompt.filter((part) => part.type === 'image').length };
}
