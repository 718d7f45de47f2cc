// Starts the process of a session: resumes its transcript, or starts a new one under the session's id.
import { rename } from 'node:fs/promises';
import {
  type ClaudeCliError,
  isSessionId,
  type LiveFrame,
  type Provider,
  readPastTasks,
  readSpentUsd,
} from '@parley/claude-cli';
import { ParleyError } from '@parley/protocol';
import type { ProgramHome } from '../program-home.ts';
import type { AwakeSession } from './awake-session.ts';
import { pastTranscript } from './past-transcript.ts';
import { type CodeSettings, toProgramOptions } from './settings.ts';
import type { Started } from './warm-processes.ts';

export interface StartSetup {
  readonly provider: Provider;
  readonly home: ProgramHome;
  readonly id: string;
  /** With the real path of the working directory. */
  readonly settings: CodeSettings;
  /** What the session is known to have cost, from an earlier process of it. */
  readonly spentUsd: number | undefined;
  /** A process that was waiting for this session. */
  readonly warm: Started | undefined;
}

export async function startSession(awake: AwakeSession, setup: StartSetup): Promise<void> {
  if (!isSessionId(setup.id)) throw new ParleyError('invalid', 'The id of a session must be a UUID.');
  const past = setup.warm
    ? undefined
    : await pastTranscript(setup.home.projects, setup.settings.workingDir, setup.id);
  try {
    await start(awake, setup, past);
  } catch (error) {
    if (!past || !isWithoutConversation(error)) throw error;
    // A program that died at its start left a file that it can neither resume nor overwrite.
    await rename(past, `${past}.${Date.now()}.unusable`);
    await start(awake, setup, undefined);
  }
}

/** Frames that are held for a session that does not exist yet. */
const mostEarly = 100;

/** Starts or resumes; there is nobody to ask until the process has its session. */
export async function bringUp(
  { provider, home, id, settings }: Omit<StartSetup, 'spentUsd' | 'warm'>,
  { resume }: { readonly resume: boolean },
): Promise<Started> {
  const process = provider.createSession(
    {
      workingDir: settings.workingDir,
      environment: { ...home.variables },
      custom: {
        ...toProgramOptions(settings),
        ...(resume ? { resume: id } : { session_id: id }),
        // The program then repeats each prompt with its uuid when it takes it up.
        replay_user_messages: true,
      },
      onPermission: () => ({ behavior: 'deny', message: 'Nobody can answer yet.' }),
    },
    id,
  );
  const frames: LiveFrame[] = [];
  const stop = process.onFrame((frame) => void (frames.length < mostEarly && frames.push(frame)));
  const early = () => {
    stop();
    return frames;
  };
  try {
    await process.start();
    return { process, early };
  } catch (error) {
    await process[Symbol.asyncDispose]();
    throw error;
  }
}

async function start(awake: AwakeSession, setup: StartSetup, past: string | undefined): Promise<void> {
  const tasks = past === undefined ? undefined : readPastTasks(past);
  const spent = past === undefined ? 0 : (setup.spentUsd ?? spentIn(past));
  const started = setup.warm ?? (await bringUp(setup, { resume: past !== undefined }));
  started.process.setPermissionHandler(awake.onPermission);
  awake.isNew = past === undefined;
  awake.use(started, { spentUsd: await spent, ...(tasks && { tasks: await tasks }) });
}

/** If the earlier cost is unknown, the first turn counts as nothing instead of as all earlier ones again. */
function spentIn(transcript: string): Promise<number> {
  return readSpentUsd(transcript).catch(() => Number.POSITIVE_INFINITY);
}

function isWithoutConversation(error: unknown): boolean {
  return ((error as ClaudeCliError).stderr ?? '').includes('No conversation found');
}
