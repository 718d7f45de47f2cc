// Starts the program's own screen on a session, in the session's directory and with the session's settings.
import type { IPty } from '@lydell/node-pty';
import { buildEnvironment, programCommand, transcriptPath } from '@parley/claude-cli';
import type { Session } from '@parley/protocol';
import { payerOf } from '../../../domain/budgets.ts';
import { nameOnceStarted } from '../process/name-session.ts';
import { pastTranscript } from '../process/past-transcript.ts';
import { type CodeSettings, settingsFor } from '../process/settings.ts';
import { trustArguments, trustVariables } from '../trust/untrusted.ts';
import { Screen } from './screen.ts';
import { TerminalUsage } from './terminal-usage.ts';
import type { TerminalsOptions } from './terminals-options.ts';

const usualSize = { cols: 120, rows: 40 };
const usualBacklogBytes = 256 * 1024;
const budgetUsedUp = 'The budget of this session is used up. Start the terminal again to continue.';

export async function openScreen(
  session: Session,
  options: TerminalsOptions & { readonly onEnd: () => void },
): Promise<Screen> {
  const { engine, trust, sandbox, idleMs, onEnd } = options;
  const settings = settingsFor(session.person, session.settings, options);
  const folder = await trust.look(session.person, settings.workingDir);
  const workingDir = folder.path;
  const home = await engine.homes.of(session.person);
  const [{ spawn }, program, past, wrap] = await Promise.all([
    import('@lydell/node-pty'),
    engine.findProgram(),
    pastTranscript(home.projects, workingDir, session.id),
    sandbox?.confine({ person: session.person, home, workingDir, mcpConfig: undefined }),
    home.prepareScreen(workingDir),
  ]);
  const usage = new TerminalUsage((model, used) => options.onUsage?.(session, model, used));
  const opened: { screen?: Screen } = {};
  const access = await engine.openAccess({
    session: session.id,
    chargedTo: () => ({ payer: payerOf(session), door: 'terminal' }),
    onUsage: (model, used) => usage.add(model, used),
    onWarnings: (warnings) => {
      for (const warning of warnings) opened.screen?.notify(warning);
    },
    refusal: ({ costUsd }) => (costUsd >= (settings.maxBudgetUsd ?? Infinity) ? budgetUsedUp : undefined),
  });
  const over = () => {
    access.close();
    usage.flush();
    onEnd();
  };
  const args = [...argumentsOf(session.id, settings, past !== undefined), ...trustArguments(folder)];
  const variables = {
    ...home.variables,
    ...access.variables,
    ...trustVariables(folder),
    TERM: 'xterm-256color',
  };
  const env = buildEnvironment({ host: engine.homes.host, explicit: variables });
  const screenOptions = { name: 'xterm-256color', ...usualSize, cwd: workingDir, env, encoding: null };
  const command = programCommand(program);
  const direct = { file: command.file, args: [...command.args, ...args] };
  const { file, args: allArgs, layers } = wrap?.(direct) ?? { ...direct, layers: 0 };
  let pty: IPty;
  try {
    pty = spawn(file, [...allArgs], screenOptions);
  } catch (error) {
    access.close();
    throw error;
  }
  const backlogBytes = options.backlogBytes ?? usualBacklogBytes;
  const screen = new Screen({ pty, layers, backlogBytes, idleMs, onEnd: over });
  opened.screen = screen;
  if (past === undefined)
    nameLater(screen, session, transcriptPath(home.projects, workingDir, session.id), options);
  return screen;
}

function nameLater(
  screen: Screen,
  { id, person }: Session,
  transcript: string,
  { gateway }: Pick<TerminalsOptions, 'gateway'>,
): void {
  const ended = new AbortController();
  void screen.ended.then(() => ended.abort());
  const readTitle = async () => (await gateway.getSession(person, id)).title;
  // If it fails, for example because the session was deleted, only the program's own list lacks the title.
  nameOnceStarted(transcript, readTitle, ended.signal).catch(() => undefined);
}

/** Values are joined to their flags, so that none can be mistaken for a flag. */
function argumentsOf(id: string, settings: CodeSettings, hasPast: boolean): string[] {
  const { model, permissionMode, effort } = settings;
  return [
    hasPast ? `--resume=${id}` : `--session-id=${id}`,
    ...(model === undefined ? [] : [`--model=${model}`]),
    ...(permissionMode === undefined ? [] : [`--permission-mode=${permissionMode}`]),
    ...(effort === undefined ? [] : [`--effort=${effort}`]),
  ];
}
