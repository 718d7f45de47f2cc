// Sessions and turns as every part of Parley sees them.
import { z } from 'zod';
import { Prompt } from './content.ts';
import { ErrorCode } from './errors.ts';
import { Author, type GatewayEvent } from './event.ts';
import { PersonName, Seq, SessionId, TurnId } from './ids.ts';
import { Usage } from './usage.ts';

export const EngineName = z.enum(['messages-api', 'claude-code']);
export type EngineName = z.infer<typeof EngineName>;

/** An assistant that people can talk to. */
export const AssistantEntry = z.object({ name: z.string(), label: z.string(), engine: EngineName });
export type AssistantEntry = z.infer<typeof AssistantEntry>;

/** Keeps settings that this version does not know. */
export const MessagesApiSettings = z.looseObject({
  model: z.string().optional(),
  /** The chat of a bot that the session was started for. */
  chat: z.string().optional(),
});
export type MessagesApiSettings = z.infer<typeof MessagesApiSettings>;

/** Checks the types only. The engine checks the values when they are chosen and when the program starts. */
export const ClaudeCodeSettings = z.looseObject({
  workingDir: z.string().optional(),
  /** Who shows the session: Parley, or the program's own screen. */
  mode: z.enum(['ui', 'cli']).optional(),
  isArchived: z.boolean().optional(),
  /** Parley found the session in the program's folder. */
  startedElsewhere: z.boolean().optional(),
  /** The chat of a bot that the session was started for. */
  chat: z.string().optional(),
  /** The session whose messages this one started with. */
  forkedFrom: SessionId.optional(),
  model: z.string().optional(),
  fallbackModel: z.string().optional(),
  permissionMode: z.string().optional(),
  effort: z.string().optional(),
  maxBudgetUsd: z.number().optional(),
  maxTurns: z.number().optional(),
  appendSystemPrompt: z.string().optional(),
  /** An object, or the path of a file with one, which keeps secrets out of the program's arguments. */
  mcpConfig: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  allowedTools: z.array(z.string()).optional(),
  disallowedTools: z.array(z.string()).optional(),
});
export type ClaudeCodeSettings = z.infer<typeof ClaudeCodeSettings>;

const settingsSchemas = { 'messages-api': MessagesApiSettings, 'claude-code': ClaudeCodeSettings };

const sessionFields = {
  id: SessionId,
  person: PersonName,
  /** The assistant that answers; only the `messages-api` engine has several. */
  assistant: z.string(),
  title: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
};

/** One conversation of one person with one engine. */
export const Session = z.discriminatedUnion('engine', [
  z.object({ ...sessionFields, engine: z.literal('messages-api'), settings: MessagesApiSettings }),
  z.object({ ...sessionFields, engine: z.literal('claude-code'), settings: ClaudeCodeSettings }),
]);
export type Session = z.infer<typeof Session>;
export type ClaudeCodeSession = Extract<Session, { engine: 'claude-code' }>;

type UncheckedSession = Omit<Session, 'settings'> & { readonly settings: unknown };

/** Whether the settings match the engine. Doesn't parse them into a copy, so unknown ones stay as they are. */
export function hasMatchingSettings(session: UncheckedSession): session is Session {
  return settingsSchemas[session.engine].safeParse(session.settings).success;
}

export const TurnStatus = z.enum(['queued', 'running', 'completed', 'failed', 'interrupted', 'withdrawn']);
export type TurnStatus = z.infer<typeof TurnStatus>;

/** One prompt and everything that follows until the engine is done. */
export const Turn = z.object({
  id: TurnId,
  sessionId: SessionId,
  /** Chosen by the client: the same key never starts a second turn. */
  key: z.string(),
  door: z.string(),
  /** False if nobody can answer a question while the turn runs. */
  canAsk: z.literal(false).optional(),
  prompt: Prompt,
  author: Author,
  status: TurnStatus,
  /** The session's last event when the prompt was admitted: every event of the turn comes after it. */
  after: Seq,
  text: z.string(),
  usage: Usage,
  error: z.object({ code: ErrorCode, message: z.string() }).optional(),
  /** The turn of another session that this one is a copy of. */
  origin: TurnId.optional(),
  queuedAt: z.number(),
  startedAt: z.number().optional(),
  endedAt: z.number().optional(),
});
export type Turn = z.infer<typeof Turn>;

/** The first event of the turn. */
export function startOf({ prompt, author, door }: Turn): Extract<GatewayEvent, { type: 'turn.started' }> {
  return { type: 'turn.started', prompt, ...(author !== undefined && { author }), door };
}
