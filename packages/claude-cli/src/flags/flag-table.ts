// One row per configuration key: its flag and how its value is written. Values are always joined to their flag with
// `=`, so a value that starts with a dash can never be read as a flag.
import type { ClaudeOptionKey, ClaudeOptions } from './options.ts';

/** `each`: the flag is repeated for every entry. `list`: one flag, entries joined by commas. */
type Form = 'text' | 'switch' | 'json' | 'each' | 'list';

interface Flag {
  readonly flag: string;
  readonly form: Form;
  /** Left out, with a warning, for a version of the program that lacks the flag. */
  readonly isOptional?: true;
}

/** In the order in which the flags are passed. */
export const flagTable: Readonly<Record<ClaudeOptionKey, Flag>> = {
  session_id: { flag: '--session-id', form: 'text' },
  resume: { flag: '--resume', form: 'text' },
  resume_session_at: { flag: '--resume-session-at', form: 'text' },
  continue: { flag: '--continue', form: 'switch' },
  from_pr: { flag: '--from-pr', form: 'text' },
  fork_session: { flag: '--fork-session', form: 'switch' },
  name: { flag: '--name', form: 'text', isOptional: true },
  model: { flag: '--model', form: 'text' },
  fallback_model: { flag: '--fallback-model', form: 'list', isOptional: true },
  effort: { flag: '--effort', form: 'text', isOptional: true },
  max_budget_usd: { flag: '--max-budget-usd', form: 'text' },
  max_turns: { flag: '--max-turns', form: 'text' },
  system_prompt: { flag: '--system-prompt', form: 'text' },
  append_system_prompt: { flag: '--append-system-prompt', form: 'text' },
  json_schema: { flag: '--json-schema', form: 'json' },
  agents: { flag: '--agents', form: 'json' },
  agent: { flag: '--agent', form: 'text' },
  tools: { flag: '--tools', form: 'list' },
  allowed_tools: { flag: '--allowed-tools', form: 'each' },
  disallowed_tools: { flag: '--disallowed-tools', form: 'each' },
  mcp_config: { flag: '--mcp-config', form: 'each' },
  strict_mcp: { flag: '--strict-mcp-config', form: 'switch' },
  permission_mode: { flag: '--permission-mode', form: 'text' },
  permission_prompt_tool: { flag: '--permission-prompt-tool', form: 'text' },
  dangerously_skip_permissions: { flag: '--dangerously-skip-permissions', form: 'switch' },
  allow_dangerously_skip_permissions: {
    flag: '--allow-dangerously-skip-permissions',
    form: 'switch',
    isOptional: true,
  },
  add_dir: { flag: '--add-dir', form: 'each' },
  settings: { flag: '--settings', form: 'json' },
  setting_sources: { flag: '--setting-sources', form: 'list' },
  plugin_dir: { flag: '--plugin-dir', form: 'each' },
  file: { flag: '--file', form: 'each' },
  betas: { flag: '--betas', form: 'each', isOptional: true },
  bare: { flag: '--bare', form: 'switch' },
  restricted: { flag: '--restricted', form: 'switch' },
  disable_slash_commands: { flag: '--disable-slash-commands', form: 'switch' },
  no_session_persistence: { flag: '--no-session-persistence', form: 'switch' },
  include_partial_messages: { flag: '--include-partial-messages', form: 'switch', isOptional: true },
  include_hook_events: { flag: '--include-hook-events', form: 'switch', isOptional: true },
  forward_subagent_text: { flag: '--forward-subagent-text', form: 'switch', isOptional: true },
  replay_user_messages: { flag: '--replay-user-messages', form: 'switch', isOptional: true },
};

/** Flags for frames in both directions; stream-json output needs `--verbose`. */
const alwaysPassed = [
  '-p',
  '--output-format=stream-json',
  '--input-format=stream-json',
  '--verbose',
] as const;

export function buildArguments(options: ClaudeOptions): string[] {
  const all: ClaudeOptions = { include_partial_messages: true, ...options };
  const written = Object.entries(flagTable).flatMap(([key, flag]) =>
    writeFlag(flag, all[key as ClaudeOptionKey]),
  );
  return [...alwaysPassed, ...written];
}

function writeFlag({ flag, form }: Flag, value: unknown): string[] {
  // An empty prompt would silently remove the program's own.
  if (value === undefined || (value === '' && form === 'text')) return [];
  switch (form) {
    case 'switch':
      return value === true ? [flag] : [];
    case 'text':
    case 'json':
      return [`${flag}=${textOrJson(value)}`];
    case 'each':
      return listOf(value).map((entry) => `${flag}=${textOrJson(entry)}`);
    case 'list':
      return [`${flag}=${listOf(value).join(',')}`];
    default:
      return form satisfies never;
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** A string passes unchanged: it may be a path, or JSON written by hand. */
function textOrJson(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
