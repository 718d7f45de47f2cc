// Events: what happened in a session, typed. The gateway numbers, keeps and fans them out.
import { z } from 'zod';
import { ContentBlock, Prompt } from './content.ts';
import { ErrorCode } from './errors.ts';
import { PermissionId, Seq, SessionId, TurnId } from './ids.ts';
import { Decision, PermissionRequest, SettleReason } from './permission.ts';
import { Usage } from './usage.ts';

const ToolUseId = z.string();

export const Todo = z.object({
  text: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed']),
});
export type Todo = z.infer<typeof Todo>;

/** What happens while an engine runs a turn. */
export const TurnEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text.delta'), text: z.string() }),
  z.object({ type: z.literal('thinking.delta'), text: z.string() }),
  /** A whole message of the conversation; kept, and read back as history in later turns. */
  z.object({
    type: z.literal('message'),
    role: z.enum(['user', 'assistant']),
    content: z.array(ContentBlock),
  }),
  z.object({ type: z.literal('tool.started'), id: ToolUseId, tool: z.string(), input: z.unknown() }),
  z.object({ type: z.literal('tool.progress'), id: ToolUseId, tool: z.string(), message: z.string() }),
  z.object({
    type: z.literal('tool.ended'),
    id: ToolUseId,
    tool: z.string(),
    outcome: z.enum(['finished', 'failed']),
  }),
  z.object({ type: z.literal('artifact'), kind: z.literal('recipe'), id: z.string() }),
  z.object({ type: z.literal('todos'), todos: z.array(Todo) }),
  /** Something the person should know that is no failure, such as trimmed history. */
  z.object({ type: z.literal('notice'), code: z.string(), message: z.string() }),
  z.object({ type: z.literal('usage'), model: z.string(), usage: Usage }),
  /** One line of JSON exactly as `claude` wrote it. */
  z.object({ type: z.literal('frame'), raw: z.string() }),
]);
export type TurnEvent = z.infer<typeof TurnEvent>;

/** The turn cannot go on. It is the last that an engine reports, and becomes the error of `turn.ended`. */
export const EngineFailure = z.object({
  type: z.literal('failed'),
  code: ErrorCode,
  message: z.string(),
  /** Whether the same prompt may work when sent again. */
  recoverable: z.boolean(),
});
export type EngineFailure = z.infer<typeof EngineFailure>;

/** What an engine reports. */
export type EngineEvent = TurnEvent | EngineFailure;

export const QueuedPrompt = z.object({ turnId: TurnId, prompt: Prompt, queuedAt: z.number() });
export type QueuedPrompt = z.infer<typeof QueuedPrompt>;

export const TurnOutcome = z.enum(['completed', 'failed', 'interrupted']);
export type TurnOutcome = z.infer<typeof TurnOutcome>;

/** What the gateway adds around the engine's own events. */
export const GatewayEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('queue.changed'), prompts: z.array(QueuedPrompt) }),
  /** Only what was chosen is named; null where it was given up for the default. */
  z.object({
    type: z.literal('settings.changed'),
    model: z.string().nullable().optional(),
    permissionMode: z.string().nullable().optional(),
  }),
  z.object({ type: z.literal('turn.started'), prompt: Prompt, door: z.string() }),
  z.object({ type: z.literal('permission.asked'), id: PermissionId, request: PermissionRequest }),
  z.object({
    type: z.literal('permission.settled'),
    id: PermissionId,
    tool: z.string(),
    decision: Decision,
    reason: SettleReason,
  }),
  /** Always the last event of its turn, and there is exactly one. */
  z.object({
    type: z.literal('turn.ended'),
    outcome: TurnOutcome,
    /** The text of the last assistant message: the answer. */
    text: z.string(),
    usage: Usage,
    durationMs: z.number(),
    error: z.object({ code: ErrorCode, message: z.string(), recoverable: z.boolean() }).optional(),
  }),
]);
export type GatewayEvent = z.infer<typeof GatewayEvent>;

export const SessionEvent = z.discriminatedUnion('type', [...TurnEvent.options, ...GatewayEvent.options]);
export type SessionEvent = z.infer<typeof SessionEvent>;

/** An event in its place: numbered within its session, and of a turn unless it concerns the session as a whole. */
export const Envelope = z.object({
  seq: Seq,
  sessionId: SessionId,
  turnId: TurnId.optional(),
  at: z.number(),
  event: SessionEvent,
});
export type Envelope = z.infer<typeof Envelope>;
