// Everything that the page of a session shows, folded from what comes over its socket. Pure.
import type {
  CodeModel,
  CodeServerMessage,
  CodeSessionView,
  ConnectedData,
  ControlRequestData,
  QueueData,
  QueueUpdateData,
  SettleReason,
  Todo,
} from '@parley/protocol';
import { foldFrames } from './fold-frames.ts';
import type { Frame } from './read.ts';
import { promptsIn, type SentPrompt, withoutArrived } from './sent-prompts.ts';
import { emptyTranscript, type Transcript } from './transcript.ts';

/** A permission that was settled while this page was open. */
export interface Settled {
  readonly behavior: 'allow' | 'deny';
  readonly reason: SettleReason;
}

export interface SessionView {
  readonly session: CodeSessionView | undefined;
  readonly transcript: Transcript;
  readonly queue: QueueData['prompts'];
  /** The turn that runs. */
  readonly running: string | undefined;
  readonly permissions: readonly ControlRequestData[];
  /** By the tool call that was asked about. */
  readonly settled: ReadonlyMap<string, Settled>;
  readonly todos: readonly Todo[];
  readonly model: string | undefined;
  /** Those that the program offers, once it has told. */
  readonly models: readonly CodeModel[] | undefined;
  readonly permissionMode: string | undefined;
  /** Sent from this page and not yet seen to have arrived. */
  readonly sent: readonly SentPrompt[];
  readonly problem: string | undefined;
  /** Where to go on after a break; undefined before the first greeting. */
  readonly after: number | undefined;
  /** Messages from the transcript that are still to come. They are not counted. */
  readonly cachedLeft: number;
  /** Goes up when everything shown before was given up for a fresh start. */
  readonly generation: number;
}

export const emptyView: SessionView = {
  session: undefined,
  transcript: emptyTranscript,
  queue: [],
  running: undefined,
  permissions: [],
  settled: new Map(),
  todos: [],
  model: undefined,
  models: undefined,
  permissionMode: undefined,
  sent: [],
  problem: undefined,
  after: undefined,
  cachedLeft: 0,
  generation: 0,
};

/** Messages of one moment, in order. Frames that follow each other are folded together. */
export function foldMessages(view: SessionView, messages: readonly Frame[]): SessionView {
  let next = view;
  let frames: Frame[] = [];
  const flush = () => {
    if (frames.length > 0) next = withFrames(next, frames);
    frames = [];
  };
  for (const message of messages) {
    const own = ownMessage(message);
    if (own) {
      flush();
      next = counted(foldOwn(next, own), own.type !== 'error' && own.type !== 'connected');
    } else {
      frames.push(message);
      next = counted(next, true);
    }
  }
  flush();
  return next;
}

const ownTypes = new Set([
  'connected',
  'control_request',
  'control_settled',
  'todo_update',
  'queue_update',
  'error',
]);

/** Parley's own messages; the server has its types tested, so that they are trusted here. */
function ownMessage(message: Frame): CodeServerMessage | undefined {
  return ownTypes.has(String(message['type'])) ? (message as unknown as CodeServerMessage) : undefined;
}

function counted(view: SessionView, counts: boolean): SessionView {
  if (!counts) return view;
  if (view.cachedLeft > 0) return { ...view, cachedLeft: view.cachedLeft - 1 };
  return view.after === undefined ? view : { ...view, after: view.after + 1 };
}

function withFrames(view: SessionView, frames: readonly Frame[]): SessionView {
  const transcript = foldFrames(view.transcript, frames);
  const { permissionMode, model } = transcript.facts;
  return {
    ...view,
    transcript,
    sent: withoutArrived(view.sent, promptsIn(frames)),
    permissionMode:
      permissionMode === view.transcript.facts.permissionMode ? view.permissionMode : permissionMode,
    model: model === view.transcript.facts.model ? view.model : model,
  };
}

function foldOwn(view: SessionView, message: CodeServerMessage): SessionView {
  switch (message.type) {
    case 'connected':
      return greeted(view, message.data);
    case 'control_request':
      return { ...view, permissions: [...view.permissions, message.data] };
    case 'control_settled':
      return settle(view, message.data);
    case 'todo_update':
      return { ...view, todos: message.data.todos };
    case 'queue_update':
      return updated(view, message.data);
    case 'error':
      return {
        ...view,
        problem: message.error,
        sent: view.sent.map((prompt) => ({ ...prompt, hasFailed: true })),
      };
    default:
      return message satisfies never;
  }
}

function greeted(view: SessionView, data: ConnectedData): SessionView {
  const isFresh = view.after === undefined || data.reset;
  const next = {
    ...view,
    ...(isFresh &&
      view.after !== undefined && { transcript: emptyTranscript, generation: view.generation + 1 }),
    session: data.session,
    permissions: data.permissions,
    todos: data.todos,
    model: data.model ?? view.model,
    models: data.models ?? view.models,
    permissionMode: data.permission_mode ?? view.permissionMode,
    cachedLeft: data.cached,
    after: data.after,
  };
  return withQueue(next, data);
}

function settle(view: SessionView, data: { request_id: string } & Settled): SessionView {
  const asked = view.permissions.find(({ request_id: id }) => id === data.request_id);
  if (!asked) return view;
  const settled = new Map(view.settled);
  settled.set(asked.tool_use_id ?? asked.request_id, { behavior: data.behavior, reason: data.reason });
  return { ...view, settled, permissions: view.permissions.filter((permission) => permission !== asked) };
}

/** The queue, and whatever else was changed from here or elsewhere. Null gives up a choice: the program has its own. */
function updated(
  view: SessionView,
  { model, permission_mode: mode, models, ...queue }: QueueUpdateData,
): SessionView {
  const { facts } = view.transcript;
  const next = {
    ...view,
    models: models ?? view.models,
    model: model === undefined ? view.model : (model ?? facts.model),
    permissionMode: mode === undefined ? view.permissionMode : (mode ?? facts.permissionMode),
  };
  return withQueue(next, queue);
}

function withQueue(view: SessionView, { prompts, running }: QueueData): SessionView {
  return {
    ...view,
    queue: prompts,
    running: running ?? undefined,
    sent: withoutArrived(
      view.sent,
      prompts.map(({ text }) => text),
    ),
    ...(running !== null && { problem: undefined }),
  };
}
