// What a page shows beside the frames, folded from events, and the messages that keep it up to date. Pure: what a
// page sees is decided here alone.
import {
  type CodeServerMessage,
  type ControlRequestData,
  type Envelope,
  type PendingPermission,
  type PermissionRequest,
  promptText,
  type QueueData,
  type QueuedPrompt,
  type QueueUpdateData,
  type Todo,
  type TurnId,
} from '@parley/protocol';
import type { SessionState } from '../../domain/gateway.ts';

export interface PageState {
  readonly running: TurnId | undefined;
  readonly queue: readonly QueuedPrompt[];
  readonly permissions: readonly PendingPermission[];
  readonly todos: readonly Todo[];
  readonly model: string | null;
  readonly permissionMode: string | null;
}

export interface Told {
  readonly state: PageState;
  /** What pages are told; the last message is counted by them, and only errors may stand before it. */
  readonly messages: readonly CodeServerMessage[];
}

export function initialPageState(
  { session, running, queue, permissions }: SessionState,
  todos: readonly Todo[],
): PageState {
  const { model, permissionMode } = session.settings;
  return {
    running,
    queue,
    permissions,
    todos,
    model: textOf(model),
    permissionMode: textOf(permissionMode),
  };
}

/** Frames are not told by this: they go out as they are. */
export function tell({ event, turnId }: Envelope, state: PageState): Told {
  switch (event.type) {
    case 'turn.started':
      return queueTold({
        ...state,
        running: turnId,
        queue: state.queue.filter((prompt) => prompt.turnId !== turnId),
      });
    case 'turn.ended': {
      const { state: ended, messages } = queueTold({ ...state, running: undefined });
      if (!event.error) return { state: ended, messages };
      return { state: ended, messages: [{ type: 'error', error: event.error.message }, ...messages] };
    }
    case 'queue.changed':
      return queueTold({ ...state, queue: event.prompts });
    case 'settings.changed': {
      const { model = state.model, permissionMode = state.permissionMode } = event;
      return queueTold(
        { ...state, model, permissionMode },
        {
          ...(event.model !== undefined && { model }),
          ...(event.permissionMode !== undefined && { permission_mode: permissionMode }),
        },
      );
    }
    case 'permission.asked': {
      const { id, request } = event;
      const asked = { id, turnId: turnId ?? '', request };
      return {
        state: { ...state, permissions: [...state.permissions, asked] },
        messages: [{ type: 'control_request', data: toControlRequest(id, request) }],
      };
    }
    case 'permission.settled': {
      const { id, decision, reason } = event;
      return {
        state: { ...state, permissions: state.permissions.filter((permission) => permission.id !== id) },
        messages: [
          { type: 'control_settled', data: { request_id: id, behavior: decision.behavior, reason } },
        ],
      };
    }
    case 'todos':
      return {
        state: { ...state, todos: event.todos },
        messages: [{ type: 'todo_update', data: { todos: event.todos } }],
      };
    default:
      return { state, messages: [] };
  }
}

/** What the program sent goes along untouched, under names of its own. */
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

/** Images are only counted: a queue is told often, and they can be large. */
export function toQueueData({ queue, running }: PageState): QueueData {
  return {
    prompts: queue.map(({ turnId, prompt, queuedAt }) => ({
      turn_id: turnId,
      text: promptText(prompt),
      images: prompt.filter((part) => part.type === 'image').length,
      queued_at: queuedAt,
    })),
    running: running ?? null,
  };
}

function queueTold(state: PageState, beside: Partial<QueueUpdateData> = {}): Told {
  return { state, messages: [{ type: 'queue_update', data: { ...toQueueData(state), ...beside } }] };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
