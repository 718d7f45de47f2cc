// Starts the program's own screen on a session, in the session's directory and with the session's settings.
import { buildEnvironment, transcriptPath } from '@parley/claude-cli';
import type { Session } from '@parley/protocol';
import { pastTranscript } from '../process/past-transcript.ts';
import { type CodeSettings, readSettings } from '../process/settings.ts';
import { nameOnceStarted } from './name-once-started.ts';
import type { TerminalsOptions } from './options.ts';
import { Screen } from './screen.ts';

const usualSize = { cols: 120, rows: 40 };
const usualBacklogBytes = 256 * 1024;

export async function openScreen(
  session: Session,
  options: TerminalsOptions & { readonly onEnd: () => void },
): Promise<Screen> {
  const { engine, folders, defaults, idleMs, onEnd } = options;
  const settings = readSettings({ ...defaults, ...session.settings });
  const workingDir = await folders.check(settings.workingDir);
  const { home } = engine;
  const [{ spawn }, program, past] = await Promise.all([
    import('@lydell/node-pty'),
    engine.findProgram(),
    pastTranscript(home.projects, workingDir, session.id),
    home.prepareScreen(workingDir),
  ]);
  const pty = spawn(program, argumentsOf(session.id, settings, past !== undefined), {
    name: 'xterm-256color',
    ...usualSize,
    cwd: workingDir,
    env: buildEnvironment({ host: home.host, explicit: { ...home.variables, TERM: 'xterm-256color' } }),
    encoding: null,
  });
  const screen = new Screen({ pty, backlogBytes: options.backlogBytes ?? usualBacklogBytes, idleMs, onEnd });
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

/** Values are joined to their flags, so that none can be read as a flag; all were checked against lists. */
function argumentsOf(id: string, settings: CodeSettings, hasPast: boolean): string[] {
  const { model, permissionMode, effort } = settings;
  return [
    hasPast ? `--resume=${id}` : `--session-id=${id}`,
    ...(model === undefined ? [] : [`--model=${model}`]),
    ...(permissionMode === undefined ? [] : [`--permission-mode=${permissionMode}`]),
    ...(effort === undefined ? [] : [`--effort=${effort}`]),
  ];
}
