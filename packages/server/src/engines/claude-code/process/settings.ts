// The settings of a Claude Code session, in `session.settings`: where it works and how the program starts. All of them
// survive a restart of the program.
import { type ClaudeOptions, effortLevels, permissionModes, type Wrap } from '@parley/claude-cli';
import { ClaudeCodeSettings, ParleyError, type PermissionRule, type PersonName } from '@parley/protocol';
import { z } from 'zod';
import { isBypassing } from '../../../domain/access.ts';
import type { ProgramHome } from '../program-home.ts';
import type { FolderState } from '../trust/untrusted.ts';

/** Model names, including the forms that cloud providers use. A name becomes an argument, so it must be a plain word. */
const ModelName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._:/@[\]-]{0,199}$/,
    'is not the name of a model, such as claude-sonnet-4-5 or opus',
  );

const PermissionModeName = z.enum(permissionModes, `is not one of: ${permissionModes.join(', ')}`);

/** What a person may choose for a session. */
export const PersonalSettings = z.strictObject({
  model: ModelName.optional(),
  fallbackModel: ModelName.optional(),
  permissionMode: PermissionModeName.optional(),
  effort: z.enum(effortLevels, `is not one of: ${effortLevels.join(', ')}`).optional(),
  maxBudgetUsd: z.number().positive().max(1_000_000).optional(),
});
export type PersonalSettings = z.infer<typeof PersonalSettings>;

/** All settings. Only the server's own doors set the rest, never what a person sends. */
const CodeSettings = ClaudeCodeSettings.extend({
  ...PersonalSettings.shape,
  workingDir: z.string().min(1),
  mcpConfig: z.union([z.string().min(1), z.record(z.string(), z.unknown())]).optional(),
  maxTurns: z.int().positive().optional(),
});
export type CodeSettings = z.infer<typeof CodeSettings>;

/** Settings that are checked for a start: the working directory is a real path, and `folder` says if it is trusted. */
export interface StartSettings extends CodeSettings {
  readonly folder: FolderState;
  /** The process works only for this person. */
  readonly person: PersonName;
  readonly home: ProgramHome;
  /** How the program starts in a sandbox; undefined if it runs without one. */
  readonly wrap: Wrap | undefined;
}

export function readSettings(settings: Readonly<Partial<ClaudeCodeSettings>>): CodeSettings {
  if (!settings.workingDir) {
    throw new ParleyError(
      'not_resumable',
      'The transcript of this session does not say in which folder it worked, so it cannot be continued. Continue in a new session.',
    );
  }
  return read(CodeSettings, settings, 'The settings of this session');
}

export interface SettingsRules {
  /** For sessions whose own settings don't have these. */
  readonly defaults: { readonly model?: string; readonly permissionMode?: string };
  /** Who may turn off the program's questions; everybody if absent. */
  readonly mayBypass?: ((person: PersonName) => boolean) | undefined;
}

/**
 * What the program of a person's session starts with. Somebody who may not turn off its questions always gets a mode that
 * asks: neither a default nor the person's own settings file can turn them off.
 */
export function settingsFor(
  person: PersonName,
  settings: Readonly<Partial<ClaudeCodeSettings>>,
  { defaults, mayBypass = () => true }: SettingsRules,
): CodeSettings {
  const wanted = readSettings({ ...defaults, ...settings });
  if (mayBypass(person)) return wanted;
  const { permissionMode = 'default' } = wanted;
  return { ...wanted, permissionMode: isBypassing(permissionMode) ? 'default' : permissionMode };
}

export function readPersonalSettings(settings: unknown): PersonalSettings {
  return read(PersonalSettings, settings, 'The configuration of the session');
}

/**
 * A fork inherits the person's choices. It doesn't inherit what a door of the server set, such as the connection to a
 * chat, nor the mode that the door chose.
 */
export function forkedSettings(settings: ClaudeCodeSettings): PersonalSettings {
  const { permissionMode, ...chosen } = z.object(PersonalSettings.shape).parse(settings);
  const isSetByDoor = settings.mcpConfig !== undefined;
  return { ...chosen, ...(permissionMode !== undefined && !isSetByDoor && { permissionMode }) };
}

/** Adds what a person has allowed for the session, for the next start of the program. */
export function allowing<Settings extends CodeSettings>(
  rules: readonly PermissionRule[],
  settings: Settings,
): Settings {
  if (rules.length === 0) return settings;
  const allowed = rules.map(({ toolName, ruleContent }) => `${toolName}(${ruleContent})`);
  return { ...settings, allowedTools: [...(settings.allowedTools ?? []), ...new Set(allowed)] };
}

export function toProgramOptions(settings: CodeSettings): ClaudeOptions {
  const { model, fallbackModel, permissionMode, effort, maxBudgetUsd, maxTurns } = settings;
  const { appendSystemPrompt, mcpConfig, allowedTools, disallowedTools } = settings;
  return {
    ...(model !== undefined && { model }),
    ...(fallbackModel !== undefined && { fallback_model: fallbackModel }),
    ...(permissionMode !== undefined && { permission_mode: permissionMode }),
    ...(effort !== undefined && { effort }),
    ...(maxBudgetUsd !== undefined && { max_budget_usd: maxBudgetUsd }),
    ...(maxTurns !== undefined && { max_turns: maxTurns }),
    ...(appendSystemPrompt !== undefined && { append_system_prompt: appendSystemPrompt }),
    ...(mcpConfig !== undefined && { mcp_config: mcpConfig }),
    ...(allowedTools !== undefined && { allowed_tools: allowedTools }),
    ...(disallowedTools !== undefined && { disallowed_tools: disallowedTools }),
  };
}

function read<S extends z.ZodType>(schema: S, given: unknown, what: string): z.infer<S> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'it'} ${message}`);
  throw new ParleyError('invalid', `${what} cannot be used: ${problems.join('; ')}.`);
}
