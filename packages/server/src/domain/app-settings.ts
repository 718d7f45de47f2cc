// The port for settings that people change in the app.
import {
  type BotTrialResult,
  type DemoExitResult,
  type McpTrialResult,
  ParleyError,
  type Sentence,
  type SettingChange,
  type SettingProblem,
  type SettingsTrial,
  type SettingsView,
} from '@parley/protocol';

export interface AppSettings {
  view(): SettingsView;
  /**
   * Makes all changes or none, and resolves when they are saved and in effect. Rejects with SettingsRefused for wrong
   * values, and with `conflict` if somebody else was faster or another place decides.
   */
  change(changes: readonly SettingChange[]): Promise<SettingsView>;
  /** Starts the server, lists its tools and stops it. Rejects with SettingsRefused for a wrong value. */
  tryMcpServer(trial: SettingsTrial, signal: AbortSignal): Promise<Tried<McpTrialResult>>;
  /** Asks the service who the bot is. Rejects with SettingsRefused for a wrong value. */
  tryBot(trial: SettingsTrial, signal: AbortSignal): Promise<Tried<BotTrialResult>>;
  /**
   * Checks the key, if there is one, and stores it for the next start. Rejects with `conflict` outside of the demo, or if
   * another place decides.
   */
  leaveDemo(apiKey: string | undefined, signal: AbortSignal): Promise<Tried<DemoExitResult>>;
}

/** The app can translate the problem. */
export type Tried<Result> = Result & { readonly problem: Sentence | null };

/**
 * Whether a setting starts programs as the user who runs Parley, or lets others in: MCP servers with a command, bots, and
 * folders in which Claude Code may work.
 */
export function startsPrograms(key: string, value: SettingChange['value']): boolean {
  if (key === 'workRoots' || key.startsWith('channels.')) return true;
  const isServer = key.startsWith('mcpServers.');
  return isServer && typeof value === 'object' && value !== null && 'command' in value;
}

/** Carries every problem, so that all of them can be fixed at once. */
export class SettingsRefused extends ParleyError {
  readonly problems: readonly SettingProblem[];

  constructor(problems: readonly SettingProblem[]) {
    super('invalid', problems.map(({ key, message, hint }) => `${key}: ${message}. ${hint}`).join('\n'));
    this.problems = problems;
  }
}

/** The settings that several servers share. Each of them has a copy in its home. */
export interface SettingsStore {
  /** As JSON; undefined if nobody has changed a setting yet. */
  read(): Promise<string | undefined>;
  /** Durable. False if there are settings, and somebody has changed them since the revision `from`. */
  replace(settings: string, revision: { readonly from: number; readonly to: number }): Promise<boolean>;
}
