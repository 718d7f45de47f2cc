// Settings in the app: their values, where these come from, and what can be changed.
import { z } from 'zod';
import { ErrorBody } from './errors.ts';

/** Where a value comes from, with the name of the file, variable or flag. */
export const SettingOrigin = z.object({
  from: z.enum(['default', 'demo', 'app', 'file', 'environment', 'flag']),
  name: z.string().optional(),
});
export type SettingOrigin = z.infer<typeof SettingOrigin>;

/** Shown instead of a secret. Send it back unchanged to keep the secret, or send a string to set another one. */
export const KeptSecret = z.strictObject({ isSet: z.literal(true) });
export type KeptSecret = z.infer<typeof KeptSecret>;

const valueFields = {
  /** The value in effect, with `{"isSet": true}` instead of secrets; null if nothing is set. */
  value: z.json(),
  origin: SettingOrigin,
  /** False where the file, the environment or a flag decides, or where a restart would be needed. */
  editable: z.boolean(),
  /** The number of the last change in the app; 0 if the app has stored nothing. A change has to name it. */
  revision: z.int().min(0),
  /** The app has stored a value, but another one takes precedence. It can be removed. */
  overridden: z.boolean(),
};

export const SettingEntry = z.object({ name: z.string(), ...valueFields });
export type SettingEntry = z.infer<typeof SettingEntry>;

export const SettingState = z.object({
  key: z.string(),
  ...valueFields,
  /** When a change takes effect; null if it can't be changed in the app. */
  applies: z.enum(['now', 'next-turn', 'new-sessions', 'restarts-bot', 'next-start']).nullable(),
  meaning: z.string(),
  hint: z.string().nullable(),
  /** A JSON Schema of the value, or of each entry. */
  schema: z.record(z.string(), z.json()),
  /** For a collection, whose entries are changed one by one under `key.name`. Then `value` is null. */
  entries: z.array(SettingEntry).nullable(),
});
export type SettingState = z.infer<typeof SettingState>;

/** What is wrong with a value, and what to do. */
export const SettingProblem = z.object({ key: z.string(), message: z.string(), hint: z.string() });
export type SettingProblem = z.infer<typeof SettingProblem>;

export const SettingsView = z.object({
  /** The configuration file, if there is one. */
  file: z.string().nullable(),
  settings: z.array(SettingState),
  /** Stored values that are invalid and therefore ignored. They can be removed or replaced. */
  ignored: z.array(SettingProblem.extend({ revision: z.int().min(0) })),
});
export type SettingsView = z.infer<typeof SettingsView>;

export const SettingChange = z.object({
  /** A setting such as `log.level`, or an entry such as `mcpServers.files`. */
  key: z.string().max(200),
  /** Null removes what the app has stored. */
  value: z.json(),
  /** The revision that the person began to edit. */
  revision: z.int().min(0),
});
export type SettingChange = z.infer<typeof SettingChange>;

/** Applies all changes or none. */
export const SettingsChange = z.object({ changes: z.array(SettingChange).min(1).max(100) });
export type SettingsChange = z.infer<typeof SettingsChange>;

/** Has `problems` if values were refused. */
export const SettingsRefusal = ErrorBody.extend({ problems: z.array(SettingProblem).optional() });
export type SettingsRefusal = z.infer<typeof SettingsRefusal>;

/** An entry as it would be saved, to try it first. */
export const SettingsTrial = z.object({ name: z.string().max(200), value: z.json() });
export type SettingsTrial = z.infer<typeof SettingsTrial>;

export const McpTrialResult = z.object({
  ok: z.boolean(),
  tools: z.array(z.object({ name: z.string(), description: z.string() })),
  /** Why it can't be used; null if it can. */
  problem: z.string().nullable(),
});
export type McpTrialResult = z.infer<typeof McpTrialResult>;

export const BotTrialResult = z.object({
  ok: z.boolean(),
  /** The bot's name at the service. */
  botName: z.string().nullable(),
  problem: z.string().nullable(),
});
export type BotTrialResult = z.infer<typeof BotTrialResult>;

/** Leaves the demo: with a key for the Anthropic API, or without one, with the login of the `claude` program. */
export const DemoExit = z.strictObject({ apiKey: z.string().trim().min(1).max(1_000).optional() });
export type DemoExit = z.infer<typeof DemoExit>;

/** If it worked, the server starts again, and everybody has to log in again. */
export const DemoExitResult = z.object({ ok: z.boolean(), problem: z.string().nullable() });
export type DemoExitResult = z.infer<typeof DemoExitResult>;
