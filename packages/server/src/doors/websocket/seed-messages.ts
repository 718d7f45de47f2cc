// Encodes a session's events for its own WebSocket: frames verbatim, everything else as Parley's messages.
// Pure, except that it tracks the queue, which is always sent as a whole.
import {
  type CodeServerMessage,
  type CodeTodo,
  type ControlRequestData,
  type Envelope,
  type FrameEvent,
  filesIn,
  meaningsOf,
  type PermissionRequest,
  promptText,
  type QueueData,
  type QueuedPrompt,
  type Seq,
  type SessionEvent,
  type Todo,
  type TurnId,
} from '@parley/protocol';
import type { SessionState } from '../../domain/gateway.ts';

/** Parley's own notices that the person must see. */
const ownNotices = new Set(['not-saved', 'budget']);

export class SeedEncoder {
  readonly #known: ReadonlySet<string>;
  #running: TurnId | undefined;
  #queue: readonly QueuedPrompt[];

  /** `known` are the uuids of frames that the client has already. */
  constructor({ running, queue }: Pick<SessionState, 'running' | 'queue'>, known: ReadonlySet<string>) {
    this.#known = known;
    this.#running = running;
    this.#queue = queue;
  }

  encode({ seq, turnId, event }: Envelope): readonly (string | Buffer)[] {
    if (event.type === 'frame') return this.#frame(event, seq);
    return this.#messages(event, turnId, seq).map((message) => JSON.stringify(message));
  }

  #frame(event: FrameEvent, seq: Seq): readonly (string | Buffer)[] {
    const frame = event.uuid !== undefined && this.#known.has(event.uuid) ? [] : [frameBytes(event)];
    const updates = meaningsOf(event).flatMap((meaning): CodeServerMessage[] =>
      meaning.type === 'todos'
        ? [{ type: 'todo_update', data: { todos: toSeedTodos(meaning.todos), seq } }]
        : [],
    );
    return updates.length === 0 ? frame : [...frame, ...updates.map((update) => JSON.stringify(update))];
  }

  #messages(event: SessionEvent, turnId: TurnId | undefined, seq: Seq): CodeServerMessage[] {
    switch (event.type) {
      case 'turn.started':
        this.#running = turnId;
        this.#queue = this.#queue.filter((prompt) => prompt.turnId !== turnId);
        return [this.#queueUpdate(seq)];
      case 'turn.ended':
        this.#running = undefined;
        return event.error
          ? [{ type: 'error', error: event.error.message, data: { seq } }, this.#queueUpdate(seq)]
          : [this.#queueUpdate(seq)];
      case 'queue.changed':
        this.#queue = event.prompts;
        return [this.#queueUpdate(seq)];
      case 'settings.changed': {
        const { model, permissionMode } = event;
        const mode = permissionMode === undefined ? {} : { permission_mode: permissionMode };
        return [{ type: 'settings_update', data: { ...(model !== undefined && { model }), ...mode, seq } }];
      }
      case 'models.changed':
        return [{ type: 'settings_update', data: { models: event.models, seq } }];
      case 'permission.asked':
        return [{ type: 'control_request', data: { ...toControlRequest(event.id, event.request), seq } }];
      case 'permission.settled': {
        const { id, decision, reason } = event;
        const data = { request_id: id, behavior: decision.behavior, reason, seq };
        return [{ type: 'control_settled', data }];
      }
      case 'notice':
        // The program's own frames carry everything else that a notice could say.
        return ownNotices.has(event.code) ? [{ type: 'error', error: event.message, data: { seq } }] : [];
      case 'todos':
        return [{ type: 'todo_update', data: { todos: toSeedTodos(event.todos), seq } }];
      default:
        return [];
    }
  }

  #queueUpdate(seq: Seq): CodeServerMessage {
    const data = { ...toQueueData({ running: this.#running, queue: this.#queue }), seq };
    return { type: 'queue_update', data };
  }
}

/** Passes on what the program sent unchanged, under its own names. */
export function toControlRequest(id: string, request: PermissionRequest): ControlRequestData {
  return {
    ...request.details,
    ...(request.toolUseId !== undefined && { tool_use_id: request.toolUseId }),
    ...(request.description !== undefined && { description: request.description }),
    request_id: id,
    tool_name: request.tool,
    tool_input: request.input,
  };
}

export function toSeedTodos(todos: readonly Todo[]): CodeTodo[] {
  return todos.map(({ text, status, activeForm = text }) => ({ content: text, status, activeForm, text }));
}

/** Images and files are only counted: a queue is sent often, and they can be large. */
export function toQueueData({ queue, running }: Pick<SessionState, 'running' | 'queue'>): QueueData {
  return {
    prompts: queue.map(({ turnId, prompt, queuedAt }) => {
      const files = filesIn(prompt).length;
      return {
        turn_id: turnId,
        text: promptText(prompt),
        images: prompt.filter((part) => part.type === 'image').length,
        ...(files > 0 && { files }),
        queued_at: queuedAt,
      };
    }),
    running: running ?? null,
  };
}

let newest: { readonly event: FrameEvent; readonly bytes: Buffer } | undefined;

/** The bytes of a frame. All sockets read a new frame one after the other, so remembering one is enough. */
export function frameBytes(event: FrameEvent): Buffer {
  if (newest?.event !== event) newest = { event, bytes: Buffer.from(event.raw) };
  return newest.bytes;
}
