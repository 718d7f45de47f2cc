// Starts the process of a session: resumes its transcript, or starts a new one under the session's id.
import {
  type ClaudeCliError,
  isSessionId,
  type LiveFrame,
  lastFailedPrompt,
  type Provider,
  readPastTasks,
  readSpentUsd,
  rewindToStart,
} from '@parley/claude-cli';
import { ParleyError } from '@parley/protocol';
import type { Holder, KeyRelay } from '../relay/key-relay.ts';
import { trustOptions, trustVariables } from '../trust/untrusted.ts';
import type { AwakeSession } from './awake-session.ts';
import { pastTranscript } from './past-transcript.ts';
import { rewindVariables } from './rewind-files.ts';
import { type StartSettings, toProgramOptions } from './settings.ts';
import type { Started } from './warm-processes.ts';

export interface StartSetup {
  readonly provider: Provider;
  readonly relay: KeyRelay;
  readonly holder: Holder;
  readonly id: string;
  readonly settings: StartSettings;
  /** What the session has cost so far, if an earlier process has reported it. */
  readonly spentUsd: number | undefined;
  /** A process that was waiting for this session. */
  readonly warm: Started | undefined;
  /** The version of the transcript that the program refused to resume last. */
  readonly refused: string | undefined;
  readonly onRefused: (version: string) => void;
  /** Whether it starts for a turn. Otherwise somebody only looks at the session. */
  readonly isForTurn: boolean;
}

/** Resolves when the program is ready. `onUsable` is called earlier: from then on the session takes prompts. */
export async function startSession(
  awake: AwakeSession,
  setup: StartSetup,
  onUsable: () => void,
): Promise<void> {
  if (!isSessionId(setup.id)) throw new ParleyError('invalid', 'The id of a session must be a UUID.');
  const past = setup.warm
    ? undefined
    : await pastTranscript(setup.settings.home.projects, setup.settings.workingDir, setup.id);
  // The program would refuse it again.
  if (past && past.version === setup.refused) throw notResumable();
  if (past)
    awake.explain = (error) => (isWithoutConversation(error) ? notResumable({ cause: error }) : error);
  try {
    await start(awake, setup, past?.file, onUsable);
  } catch (error) {
    if (past && isWithoutConversation(error)) setup.onRefused(past.version);
    throw awake.explain(error);
  }
}

/** How many frames of a process are held until it has its session. */
const maxEarly = 100;

/** Starts or resumes a process. It denies every permission until it has its session, because there is nobody to ask. */
export function launch(
  {
    provider,
    relay,
    holder,
    id,
    settings,
  }: Pick<StartSetup, 'provider' | 'relay' | 'holder' | 'id' | 'settings'>,
  { resume, at }: { readonly resume: boolean; readonly at?: string | undefined },
): Started {
  const { home, wrap } = settings;
  const access = relay.open(holder);
  const process = provider.createSession(
    {
      workingDir: settings.workingDir,
      environment: {
        ...home.variables,
        ...access.variables,
        ...trustVariables(settings.folder),
        ...rewindVariables,
      },
      ...(wrap && { wrap }),
      custom: {
        ...toProgramOptions(settings),
        ...trustOptions(settings.folder),
        ...(resume ? { resume: id } : { session_id: id }),
        ...(at !== undefined && { resume_session_at: at }),
        // Makes the program repeat each prompt with its uuid when it starts on it.
        replay_user_messages: true,
      },
      onPermission: () => ({ behavior: 'deny', message: 'Nobody can answer yet.' }),
    },
    id,
  );
  const frames: LiveFrame[] = [];
  let isEarly = true;
  // Stays attached until the process ends and loses its access to the model.
  process.onFrame(
    (frame) => void (isEarly && frames.length < maxEarly && frames.push(frame)),
    () => access.close(),
  );
  const early = () => {
    isEarly = false;
    return frames;
  };
  const ready = process.start().catch(async (error: unknown) => {
    await process[Symbol.asyncDispose]();
    access.close();
    throw error;
  });
  ready.catch(() => undefined);
  return { process, early, ready };
}

async function start(
  awake: AwakeSession,
  setup: StartSetup,
  past: string | undefined,
  onUsable: () => void,
): Promise<void> {
  const tasks = past === undefined ? undefined : readPastTasks(past);
  const spent = past === undefined ? 0 : (setup.spentUsd ?? spentIn(past));
  const started =
    setup.warm ?? (past === undefined ? launch(setup, { resume: false }) : await resumed(awake, setup, past));
  const { process, ready } = started;
  process.setPermissionHandler(awake.onPermission);
  awake.isNew = past === undefined;
  const left = { spentUsd: await spent, ...(tasks && { tasks: await tasks }) };
  // A process that has already ended would never report its end: `ready` says why it failed.
  if (!['starting', 'running'].includes(process.status().state)) await ready;
  awake.use(started, left);
  onUsable();
  await ready;
}

/** Leaves out a failed prompt at the end: the program would send it again along with the next one. */
async function resumed(awake: AwakeSession, setup: StartSetup, past: string): Promise<Started> {
  const failed = await lastFailedPrompt(past);
  if (failed && failed.after === undefined) {
    // If this can't be written, the program merely sees the prompt twice.
    if (setup.isForTurn) await rewindToStart(past).catch(() => undefined);
    // Looking at a session never changes its transcript.
    else awake.isViewOnly = true;
  }
  const at = failed?.after;
  const started = launch(setup, { resume: true, at });
  if (at === undefined) return started;
  // If the program doesn't find the message, it resumes at the end.
  return started.ready.then(
    () => started,
    () => launch(setup, { resume: true }),
  );
}

/** If the earlier cost is unknown, the first turn counts as free. Otherwise all earlier turns would count again. */
function spentIn(transcript: string): Promise<number> {
  return readSpentUsd(transcript).catch(() => Number.POSITIVE_INFINITY);
}

function isWithoutConversation(error: unknown): boolean {
  return ((error as ClaudeCliError).stderr ?? '').includes('No conversation found');
}

/** The transcript stays as it is, because it may hold messages that only the program can't read. */
function notResumable(options?: ErrorOptions): ParleyError {
  return new ParleyError(
    'not_resumable',
    'The claude program found no conversation in this session’s transcript, so it cannot continue the session. The messages stay here. Continue in a new session.',
    options,
  );
}
