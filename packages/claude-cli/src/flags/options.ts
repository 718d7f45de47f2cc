// The schema of a session's `custom` configuration. Keys are spelled as in configuration files; each becomes one flag
// of the program (see flag-table.ts).
import { z } from 'zod';

/** Linux limits one argument to 128 KiB, including its closing NUL. */
const MAX_ARGUMENT_BYTES = 128 * 1024 - 64;

export const permissionModes = [
  'acceptEdits',
  'auto',
  'bypassPermissions',
  'default',
  'dontAsk',
  'manual',
  'plan',
] as const;
export type PermissionMode = (typeof permissionModes)[number];

export const effortLevels = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
export type EffortLevel = (typeof effortLevels)[number];

const argument = z
  .string()
  .refine((value) => !value.includes('\0'), 'must not contain a NUL character')
  .refine(
    (value) => Buffer.byteLength(value) <= MAX_ARGUMENT_BYTES,
    `is longer than ${MAX_ARGUMENT_BYTES} bytes, the operating system's limit for one argument`,
  );
const filled = argument.min(1, 'must not be empty');
const uuid = z.guid('must be a UUID');
const jsonObject = z
  .record(z.string(), z.unknown())
  .refine((value) => fitsAsArgument(value), 'is too large for one argument, or not plain JSON');
const toolNames = z.array(filled);

export const ClaudeOptions = z
  .strictObject({
    system_prompt: argument,
    append_system_prompt: argument,
    mcp_config: z.union([
      filled,
      z.array(z.union([filled, jsonObject])).min(1, 'must not be empty'),
      jsonObject,
    ]),
    strict_mcp: z.boolean(),
    model: filled,
    max_budget_usd: z.number().positive(),
    allowed_tools: toolNames,
    disallowed_tools: toolNames,
    permission_mode: z.enum(permissionModes),
    json_schema: jsonObject,
    no_session_persistence: z.boolean(),
    fallback_model: z.union([filled, z.array(filled).min(1, 'must not be empty')]),
    effort: z.enum(effortLevels),
    agents: z.record(z.string(), z.looseObject({ description: z.string(), prompt: z.string() })),

    session_id: uuid,
    resume: uuid,
    resume_session_at: uuid,
    continue: z.boolean(),
    fork_session: z.boolean(),
    from_pr: filled,
    name: filled,
    agent: filled,
    tools: toolNames,
    max_turns: z.int().positive(),
    add_dir: z.array(filled),
    settings: z.union([filled, jsonObject]),
    setting_sources: z.array(z.enum(['user', 'project', 'local'])),
    plugin_dir: z.array(filled),
    file: z.array(filled),
    betas: z.array(filled),
    bare: z.boolean(),
    restricted: z.boolean(),
    disable_slash_commands: z.boolean(),
    dangerously_skip_permissions: z.boolean(),
    allow_dangerously_skip_permissions: z.boolean(),
    permission_prompt_tool: filled,
    include_partial_messages: z.boolean(),
    include_hook_events: z.boolean(),
    forward_subagent_text: z.boolean(),
    replay_user_messages: z.boolean(),
  })
  .partial()
  .superRefine((options, context) => {
    for (const [path, message] of contradictions(options)) {
      context.addIssue({ code: 'custom', path: [path], message, input: options });
    }
  });
export type ClaudeOptions = z.infer<typeof ClaudeOptions>;
export type ClaudeOptionKey = keyof ClaudeOptions;

type Conversation = Pick<
  ClaudeOptions,
  'session_id' | 'resume' | 'resume_session_at' | 'continue' | 'fork_session' | 'from_pr'
>;

/** Combinations that the program would refuse, reported before a process is started for nothing. */
function contradictions(options: Conversation): [keyof Conversation, string][] {
  const found: [keyof Conversation, string][] = [];
  const continues =
    options.resume !== undefined || options.continue === true || options.from_pr !== undefined;
  if (options.resume !== undefined && options.continue)
    found.push(['continue', 'cannot be combined with resume']);
  if (options.fork_session && !continues) found.push(['fork_session', 'needs resume or continue']);
  if (options.resume_session_at !== undefined && options.resume === undefined) {
    found.push(['resume_session_at', 'needs resume']);
  }
  if (options.session_id !== undefined && continues && !options.fork_session) {
    found.push(['session_id', 'can be combined with resume or continue only if fork_session is set']);
  }
  return found;
}

function fitsAsArgument(value: unknown): boolean {
  try {
    return Buffer.byteLength(JSON.stringify(value)) <= MAX_ARGUMENT_BYTES;
  } catch {
    return false;
  }
}
