// Events: what happens in a session. The gateway numbers them, stores them and sends them to readers.
import { z } from 'zod';
import { ContentBlock, Prompt } from './content.ts';
import { ErrorCode } from './errors.ts';
import { PermissionId, PersonName, Seq, SessionId, TurnId } from './ids.ts';
import { Decision, PermissionRequest, SettleReason } from './permission.ts';
import { Usage } from './usage.ts';

const ToolUseId = z.string();

export const Todo = z.object({
  text: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed']),
  /** What to show while it is in progress. */
  activeForm: z.string().optional(),
});
export type Todo = z.infer<typeof Todo>;

/** A model that the `claude` program offers; `value` is what selects it. */
export const CodeModel = z.object({ value: z.string(), displayName: z.string(), description: z.string() });
export type CodeModel = z.infer<typeof CodeModel>;

/** A slash command that the `claude` program offers. */
export const OfferedCommand = z.object({
  name: z.string(),
  description: z.string().optional(),
  /** The arguments that it takes, such as `[file]`. */
  hint: z.string().optional(),
});
export type OfferedCommand = z.infer<typeof OfferedCommand>;

/** What happens while an engine runs a turn, in terms that every door understands. */
export const Meaning = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text.delta'), text: z.string() }),
  z.object({ type: z.literal('thinking.delta'), text: z.string() }),
  /** A piece of a tool's input, while the model writes it. */
  z.object({
    type: z.literal('tool.delta'),
    id: ToolUseId.optional(),
    tool: z.string(),
    json: z.string(),
  }),
  /** A whole message of the conversation; stored, and read back as history in later turns. */
  z.object({
    type: z.literal('message'),
    role: z.enum(['user', 'assistant']),
    content: z.array(ContentBlock),
    /** The model's id for it. Messages with the same id are parts of one message. */
    id: z.string().optional(),
  }),
  z.object({ type: z.literal('tool.started'), id: ToolUseId, tool: z.string(), input: z.unknown() }),
  z.object({ type: z.literal('tool.progress'), id: ToolUseId, tool: z.string(), message: z.string() }),
  /** The result's content is in the user message. */
  z.object({
    type: z.literal('tool.ended'),
    id: ToolUseId,
    tool: z.string(),
    outcome: z.enum(['finished', 'failed']),
    /** Somebody or a rule refused the call. */
    denied: z.literal(true).optional(),
    /** Why it was refused, if anybody said. */
    reason: z.string().optional(),
    /** It was stopped with its turn, or before anybody decided on it. */
    stopped: z.literal(true).optional(),
    /** What the program reports in addition to what the model reads, such as the patch of an edit. */
    details: z.record(z.string(), z.unknown()).optional(),
  }),
  z.object({ type: z.literal('artifact'), kind: z.literal('recipe'), id: z.string() }),
  z.object({ type: z.literal('todos'), todos: z.array(Todo) }),
  /** Something the person should know that is not a failure, such as trimmed history. */
  z.object({
    type: z.literal('notice'),
    code: z.string(),
    message: z.string(),
    tone: z.enum(['plain', 'warn', 'danger']).optional(),
    detail: z.string().optional(),
  }),
  z.object({
    type: z.literal('usage'),
    model: z.string(),
    usage: Usage,
    durationMs: z.number().optional(),
    /** What the session has cost so far. */
    totalCostUsd: z.number().optional(),
  }),
  /** How many tokens the model read for its last answer, and how many it can read. */
  z.object({
    type: z.literal('context'),
    model: z.string().optional(),
    tokens: z.int().nonnegative().optional(),
    window: z.int().nonnegative().optional(),
  }),
  /** What the `claude` program reports about itself. */
  z.object({
    type: z.literal('program'),
    model: z.string().optional(),
    permissionMode: z.string().optional(),
    workingDir: z.string().optional(),
    commands: z.array(OfferedCommand).optional(),
  }),
  /** A frame that this version doesn't understand. Pages show it raw. */
  z.object({ type: z.literal('unknown'), name: z.string() }),
]);
export type Meaning = z.infer<typeof Meaning>;

/** One line of JSON exactly as `claude` wrote it, with its meaning. */
export const FrameEvent = z.object({
  type: z.literal('frame'),
  raw: z.string(),
  /** The program's id for the message; the same as in the transcript. */
  uuid: z.string().optional(),
  /** The tool call that runs the subagent that this frame belongs to. */
  subagent: z.string().optional(),
  /** Its position in a message that is still being written. Separate frames with the whole message follow. */
  piece: z.enum(['first', 'middle', 'last']).optional(),
  means: z.array(Meaning),
});
export type FrameEvent = z.infer<typeof FrameEvent>;

/** What happens while an engine runs a turn. */
export const TurnEvent = z.discriminatedUnion('type', [...Meaning.options, FrameEvent]);
export type TurnEvent = z.infer<typeof TurnEvent>;

/** The turn cannot continue. This is the engine's last event, and becomes the error of `turn.ended`. */
export const EngineFailure = z.object({
  type: z.literal('failed'),
  code: ErrorCode,
  message: z.string(),
  /** Whether the same prompt may work when sent again. */
  recoverable: z.boolean(),
  /** How long to wait before that, where it is known. */
  retryAfterSeconds: z.int().positive().optional(),
});
export type EngineFailure = z.infer<typeof EngineFailure>;

/** What an engine reports. */
export type EngineEvent = TurnEvent | EngineFailure;

/** Who wrote a prompt, if it wasn't the owner of the session. */
export const Author = PersonName.optional();

export const QueuedPrompt = z.object({
  turnId: TurnId,
  prompt: Prompt,
  author: Author,
  queuedAt: z.number(),
});
export type QueuedPrompt = z.infer<typeof QueuedPrompt>;

export const TurnOutcome = z.enum(['completed', 'failed', 'interrupted']);
export type TurnOutcome = z.infer<typeof TurnOutcome>;

/** What the gateway adds around the engine's own events. */
export const GatewayEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('queue.changed'), prompts: z.array(QueuedPrompt) }),
  /** The first prompt waits for this many turns of other sessions. This holds until its turn starts. */
  z.object({ type: z.literal('queue.blocked'), ahead: z.int().nonnegative() }),
  /** Contains only what changed; null means back to the default. */
  z.object({
    type: z.literal('settings.changed'),
    model: z.string().nullable().optional(),
    permissionMode: z.string().nullable().optional(),
  }),
  /** The models that the `claude` program offers. */
  z.object({ type: z.literal('models.changed'), models: z.array(CodeModel) }),
  z.object({ type: z.literal('turn.started'), prompt: Prompt, author: Author, door: z.string() }),
  z.object({ type: z.literal('permission.asked'), id: PermissionId, request: PermissionRequest }),
  z.object({
    type: z.literal('permission.settled'),
    id: PermissionId,
    tool: z.string(),
    decision: Decision,
    reason: SettleReason,
  }),
  /** The last event of its turn; there is always exactly one. */
  z.object({
    type: z.literal('turn.ended'),
    outcome: TurnOutcome,
    /** The text of the last assistant message: the answer. */
    text: z.string(),
    usage: Usage,
    durationMs: z.number(),
    error: EngineFailure.omit({ type: true }).optional(),
  }),
]);
export type GatewayEvent = z.infer<typeof GatewayEvent>;

export const SessionEvent = z.discriminatedUnion('type', [...TurnEvent.options, ...GatewayEvent.options]);
export type SessionEvent = z.infer<typeof SessionEvent>;

/** An event with its number within the session. It belongs to a turn unless it concerns the session as a whole. */
export const Envelope = z.object({
  seq: Seq,
  sessionId: SessionId,
  turnId: TurnId.optional(),
  at: z.number(),
  event: SessionEvent,
});
export type Envelope = z.infer<typeof Envelope>;

/** What an event means, without its frame. For a subagent, only its tool uses: only the main thread talks to people. */
export function meaningsOf(event: SessionEvent): readonly Exclude<SessionEvent, FrameEvent>[] {
  if (event.type !== 'frame') return [event];
  return event.subagent === undefined ? event.means : event.means.filter(isToolUse);
}

function isToolUse({ type }: Meaning): boolean {
  return type === 'tool.started' || type === 'tool.progress' || type === 'tool.ended';
}
