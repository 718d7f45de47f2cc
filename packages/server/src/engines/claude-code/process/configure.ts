// Applies changed settings to a session: at once if the running program can take them, otherwise with its next start.
import { ClaudeCliError } from '@parley/claude-cli';
import { ParleyError, type Session } from '@parley/protocol';
import type { AwakeSession } from './awake-session.ts';
import type { AwakeSessions } from './awake-sessions.ts';
import { toParleyError } from './failures.ts';
import { type CodeSettings, type SettingsRules, settingsFor, toProgramOptions } from './settings.ts';

export async function configure(
  sessions: AwakeSessions,
  session: Session,
  chosen: Session['settings'],
  options: SettingsRules,
): Promise<void> {
  const wanted = settingsFor(session.person, session.settings, options);
  const isModeChosen = 'permissionMode' in chosen;
  const awake = sessions.peek(session.id);
  if (awake) await apply(awake, wanted, isModeChosen);
  if (isModeChosen) sessions.forgetMode(session.id);
  if (awake?.isStale && !awake.isBusy) await sessions.sleep(session.id);
}

/** The program may have left the chosen mode, as it does for a plan; changing another setting does not undo that. */
async function apply(awake: AwakeSession, wanted: CodeSettings, isModeChosen: boolean): Promise<void> {
  const present = awake.settings;
  if (wanted.model !== present.model) {
    if (wanted.model === undefined) awake.isStale = true;
    else await awake.process.setModel(wanted.model).catch(refused);
  }
  const mode = wanted.permissionMode;
  if (isModeChosen && mode !== (awake.permissionMode ?? present.permissionMode)) {
    if (mode === undefined) awake.isStale = true;
    else await changeMode(awake, mode);
  }
  if (!isSame(rest(wanted), rest(present))) awake.isStale = true;
  awake.settings = { ...wanted, workingDir: present.workingDir };
}

/** Some modes need a restart. */
async function changeMode(
  awake: AwakeSession,
  mode: NonNullable<CodeSettings['permissionMode']>,
): Promise<void> {
  try {
    await awake.process.setPermissionMode(mode);
    awake.permissionMode = mode;
  } catch (error) {
    if (!(error instanceof ClaudeCliError) || error.code !== 'control_refused') refused(error);
    if (awake.isBusy) {
      throw new ParleyError(
        'conflict',
        `The program has to restart to use the mode ${mode}. Choose it when the turn is done.`,
      );
    }
    awake.permissionMode = undefined;
    awake.isStale = true;
  }
}

function refused(error: unknown): never {
  throw toParleyError(error);
}

/** The options that need a restart to change. */
function rest(settings: CodeSettings): unknown {
  const { model: _, permission_mode: __, ...options } = toProgramOptions(settings);
  return options;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
