// The configuration of a session, checked as a whole: every problem is reported at once.
import { z } from 'zod';
import type { PermissionHandler } from './control/permission.ts';
import { ClaudeOptions } from './flags/options.ts';
import { validate } from './flags/validate.ts';
import type { Wrap } from './process/wrap.ts';

const milliseconds = z.int().min(1).max(2_147_483_647);
const count = z.int().min(1);

export const SessionLimits = z.strictObject({
  /** From spawn until the program is ready. */
  startMs: milliseconds.default(60_000),
  /** For the program's answer to a control request. */
  controlMs: milliseconds.default(60_000),
  /** Between SIGTERM and SIGKILL. */
  stopGraceMs: milliseconds.default(5_000),
  /** A turn without any frame for this long has failed. Longer than any timeout of the program's own tools. */
  silentTurnMs: milliseconds.default(15 * 60_000),
  /** For the process to exit after its input is closed and its turn is over. */
  exitMs: milliseconds.default(10_000),
  /** Inputs buffered while the session is paused or starting. */
  waitingInputs: count.default(100),
  /** Bytes buffered for a paused session, and for a program that does not read. */
  inputBytes: count.default(64 * 1024 * 1024),
  /** Events or frames that may wait for a slow reader before the program's output is held back. */
  bufferedEvents: count.default(1_024),
  /** How long a reader may block the program without reading anything. */
  stalledReaderMs: milliseconds.default(5 * 60_000),
  lineBytes: count.default(64 * 1024 * 1024),
  stderrBytes: count.default(16 * 1024),
});
export type SessionLimits = z.infer<typeof SessionLimits>;

export const SessionConfig = z.strictObject({
  /** Where the program works; by default the host's working directory. */
  workingDir: z.string().min(1, 'must not be empty').optional(),
  /** Short for `custom.system_prompt`. */
  systemPrompt: z.string().optional(),
  /** Variables for the program in addition to the inherited ones. */
  environment: z.record(z.string(), z.string().optional()).optional(),
  /** Options of the program, by their configuration names. */
  custom: ClaudeOptions.optional(),
  limits: SessionLimits.partial().optional(),
  /** Runs the program inside another one. The environment and the working directory are those of the outer one. */
  wrap: z.custom<Wrap>((value) => typeof value === 'function', 'must be a function').optional(),
  /** Decides whether a tool may run. Without it the program decides by its own rules. */
  onPermission: z
    .custom<PermissionHandler>((value) => typeof value === 'function', 'must be a function')
    .optional(),
});
export type SessionConfig = z.input<typeof SessionConfig>;

export interface CheckedSessionConfig {
  readonly workingDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly options: ClaudeOptions;
  readonly limits: SessionLimits;
  readonly wrap: Wrap | undefined;
  readonly onPermission: PermissionHandler | undefined;
}

export function checkSessionConfig(config: unknown): CheckedSessionConfig {
  const checked = validate(OneSystemPrompt, config, 'session configuration', knownKeys);
  const { systemPrompt, onPermission } = checked;
  return {
    workingDir: checked.workingDir ?? process.cwd(),
    environment: checked.environment ?? {},
    options: {
      ...(systemPrompt === undefined ? {} : { system_prompt: systemPrompt }),
      ...(onPermission ? { permission_prompt_tool: 'stdio' } : {}),
      ...checked.custom,
    },
    limits: SessionLimits.parse(checked.limits ?? {}),
    wrap: checked.wrap,
    onPermission,
  };
}

const OneSystemPrompt = SessionConfig.refine(
  (config) => config.systemPrompt === undefined || config.custom?.system_prompt === undefined,
  { path: ['systemPrompt'], message: 'cannot be combined with custom.system_prompt' },
);

function knownKeys(path: readonly PropertyKey[]): readonly string[] {
  if (path.length === 0) return Object.keys(SessionConfig.shape);
  if (path[0] === 'custom' && path.length === 1) return Object.keys(ClaudeOptions.shape);
  return path[0] === 'limits' ? Object.keys(SessionLimits.shape) : [];
}
