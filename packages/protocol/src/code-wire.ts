// Claude Code sessions over REST and WebSocket: bodies and messages that clients rely on. The program's frames are sent
// between these messages exactly as it wrote them; they have no schema here.
import { z } from 'zod';
import { ImageType } from './content.ts';
import { CodeModel, Todo } from './event.ts';
import { PermissionId, PersonName, Seq, SessionId, TurnId } from './ids.ts';
import { SettleReason } from './permission.ts';
import { ShareLevel } from './share-wire.ts';
import { SandboxView } from './work-folder-wire.ts';

const Mode = z.enum(['ui', 'cli']);

/** A session as lists and pages show it. Times are ISO 8601. */
export const CodeSessionView = z.object({
  id: SessionId,
  title: z.string(),
  firstPrompt: z.string().optional(),
  workingDir: z.string(),
  gitBranch: z.string().optional(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  /** `active`: a process is awake. `archived`: none is, and a prompt wakes one. `dead`: the last one failed. */
  status: z.enum(['active', 'archived', 'dead']),
  mode: Mode,
  /** Hidden from the list by the person. */
  archived: z.boolean(),
  /** A turn runs. */
  working: z.boolean(),
  /** A permission waits for somebody. */
  waiting: z.boolean(),
  costUsd: z.number().optional(),
  sizeBytes: z.number(),
  sandbox: SandboxView,
  /** Present if somebody else owns it and shares it. */
  shared: z.object({ owner: PersonName, access: ShareLevel }).optional(),
  found: z
    .object({ message: z.string(), role: z.enum(['user', 'assistant']), snippet: z.string() })
    .optional()
    .describe('The newest message with the words, if the search found it by its messages.'),
  /** Where it lives. Present in lists, if there are several machines. */
  machine: z.string().optional(),
  /** Parley is not running on its machine: nobody can use the session, and this is what was last known about it. */
  offline: z.boolean().optional(),
});
export type CodeSessionView = z.infer<typeof CodeSessionView>;

export const CodeSessionList = z.object({
  sessions: z.array(CodeSessionView),
  next_cursor: z.string().nullable(),
  unreadable: z
    .array(z.string())
    .optional()
    .describe('Folders of transcripts that the server cannot read, so that their sessions are missing.'),
  indexing: z
    .boolean()
    .optional()
    .describe('Older sessions were not searched, because they are not indexed yet. Try again later.'),
});
export type CodeSessionList = z.infer<typeof CodeSessionList>;

/** A page of messages, oldest first, each exactly as the program wrote it. */
export const CodeMessagePage = z.object({
  messages: z.array(z.looseObject({ type: z.string().optional() })),
  before: z.string().nullable(),
});
export type CodeMessagePage = z.infer<typeof CodeMessagePage>;

export const NewCodeSession = z.strictObject({
  workingDir: z.string().min(1),
  title: z.string().optional(),
  resumeId: SessionId.optional(),
  mode: Mode.default('ui'),
  config: z.record(z.string(), z.unknown()).optional(),
  /** The machine, if several have a folder with this path. */
  machine: z.string().max(200).optional(),
});
export type NewCodeSession = z.infer<typeof NewCodeSession>;

export const CodeSessionPatch = z.strictObject({
  title: z
    .string()
    .trim()
    .min(1, 'needs at least one visible character')
    .max(500, 'may have at most 500 characters')
    .optional(),
  archived: z.boolean().optional(),
});
export type CodeSessionPatch = z.infer<typeof CodeSessionPatch>;

/** The trusted working directories among those that a person may use. */
export const TrustedFolders = z.object({
  folders: z.array(z.object({ path: z.string(), trustedBy: z.string(), trustedAt: z.iso.datetime() })),
});
export type TrustedFolders = z.infer<typeof TrustedFolders>;

const Base64 = z.base64().min(1);

/** A prompt's content in the format of the Messages API: text, images and documents. */
export const PromptContent = z.union([
  z.string().refine((text) => text.trim() !== ''),
  z
    .array(
      z.discriminatedUnion('type', [
        z.object({ type: z.literal('text'), text: z.string().min(1) }),
        z.object({
          type: z.literal('image'),
          source: z.object({ type: z.literal('base64'), media_type: ImageType, data: Base64 }),
        }),
        z.object({
          type: z.literal('document'),
          /** The name of the file. */
          title: z.string().min(1).max(1_000).optional(),
          source: z.discriminatedUnion('type', [
            z.object({ type: z.literal('base64'), media_type: z.string().max(200), data: Base64 }),
            z.object({
              type: z.literal('text'),
              media_type: z.literal('text/plain'),
              data: z.string().min(1),
            }),
          ]),
        }),
      ]),
    )
    .min(1)
    .max(100),
]);
export type PromptContent = z.infer<typeof PromptContent>;

const JsonObject = z.record(z.string(), z.unknown());

/** What a page may send. */
export const CodeClientMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('text'),
    content: PromptContent,
    /** Adds to the running turn if the program accepts it; otherwise the prompt is queued. */
    steer: z.boolean().optional(),
    /** A prompt with the same key is neither sent twice nor added to a turn twice. */
    key: z.string().min(1).max(200).optional(),
  }),
  z.object({
    type: z.literal('permission_response'),
    requestId: z.string(),
    subtype: z.string().optional(),
    behavior: z.enum(['allow', 'deny']),
    message: z.string().optional(),
    /** If given, the answer counts only for a request of this tool. */
    toolName: z.string().optional(),
    /** Also allows this tool for the rest of the session. */
    alwaysAllow: z.boolean().default(false),
    updatedInput: JsonObject.optional(),
  }),
  z.object({
    type: z.literal('question_answer'),
    questionId: z.string(),
    /** By the text of the question or its position (`q0`, `q1` …); several labels where several may be chosen. */
    answers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  }),
  z.object({ type: z.literal('interrupt') }),
  z.object({ type: z.literal('set_model'), model: z.string().min(1).max(200) }),
  z.object({ type: z.literal('set_permission_mode'), mode: z.string().min(1).max(50) }),
  z.object({ type: z.literal('queue_remove'), turnId: TurnId }),
  z.object({ type: z.literal('queue_reorder'), order: z.array(TurnId).max(1_000) }),
]);
export type CodeClientMessage = z.infer<typeof CodeClientMessage>;

/** An open question of the program. Other fields that the program sent keep their own names. */
export const ControlRequestData = z.looseObject({
  request_id: PermissionId,
  tool_name: z.string(),
  tool_input: z.unknown(),
  tool_use_id: z.string().optional(),
  description: z.string().optional(),
});
export type ControlRequestData = z.infer<typeof ControlRequestData>;

export const QueueData = z.object({
  /** The queued prompts, the next one first. */
  prompts: z.array(
    z.object({
      turn_id: TurnId,
      text: z.string(),
      images: z.int().nonnegative(),
      /** Absent if there are none. */
      files: z.int().positive().optional(),
      queued_at: z.number(),
    }),
  ),
  /** The turn that runs. */
  running: TurnId.nullable(),
});
export type QueueData = z.infer<typeof QueueData>;

/** A todo as the program has it, plus its `content` as `text`. */
export const CodeTodo = Todo.extend({ content: z.string(), activeForm: z.string() });
export type CodeTodo = z.infer<typeof CodeTodo>;

/** What a new client needs before its first message. */
export const ConnectedData = z.object({
  session: CodeSessionView,
  ...QueueData.shape,
  /** A client that doesn't resume also gets each as a `control_request`. */
  permissions: z.array(ControlRequestData),
  todos: z.array(CodeTodo),
  model: z.string().nullable(),
  permission_mode: z.string().nullable(),
  /** Absent until a program has reported its models; a `settings_update` then contains them. */
  models: z.array(CodeModel).optional(),
  /** How many messages from the past follow first. */
  cached: z.int().nonnegative(),
  /** The messages after the cached ones report events after this number. */
  after: Seq,
  /** True if the events after the requested number are gone: discard what was shown before. */
  reset: z.boolean(),
  demo: z.boolean(),
});
export type ConnectedData = z.infer<typeof ConnectedData>;

/** The number of the event that a message reports. Reconnect with the last one as `?after`. */
const Numbered = { seq: Seq };

/** Parley's own messages to a client. Everything else on the socket is a frame. */
export const CodeServerMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('connected'), data: ConnectedData }),
  z.object({ type: z.literal('control_request'), data: ControlRequestData.extend(Numbered) }),
  z.object({
    type: z.literal('control_settled'),
    data: z.object({
      request_id: PermissionId,
      behavior: z.enum(['allow', 'deny']),
      reason: SettleReason,
      ...Numbered,
    }),
  }),
  z.object({ type: z.literal('todo_update'), data: z.object({ todos: z.array(CodeTodo), ...Numbered }) }),
  z.object({ type: z.literal('queue_update'), data: QueueData.extend(Numbered) }),
  /** Only what changed. Null means the program's own choice. */
  z.object({
    type: z.literal('settings_update'),
    data: z.object({
      model: z.string().nullable().optional(),
      permission_mode: z.string().nullable().optional(),
      models: z.array(CodeModel).optional(),
      ...Numbered,
    }),
  }),
  /** A failed turn has a number; an error about a message of this client has none. */
  z.object({ type: z.literal('error'), error: z.string(), data: z.object(Numbered).optional() }),
]);
export type CodeServerMessage = z.infer<typeof CodeServerMessage>;

/** The only text message that a terminal's socket accepts; everything else is bytes. */
export const TerminalResize = z.object({
  type: z.literal('resize'),
  cols: z.int().min(1).max(1_000),
  rows: z.int().min(1).max(1_000),
});
export type TerminalResize = z.infer<typeof TerminalResize>;

/** The only text message that a terminal's socket sends: something that the screen does not show. */
export const TerminalNotice = z.object({ type: z.literal('notice'), message: z.string() });
export type TerminalNotice = z.infer<typeof TerminalNotice>;
