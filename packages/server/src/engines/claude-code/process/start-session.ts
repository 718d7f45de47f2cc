// Brings up the process of a session: resumes what the program kept of it, or begins it under the session's id.
import { rename } from 'node:fs/promises';
import { type ClaudeCliError, isSessionId, type Session as Process, type Provider } from '@parley/claude-cli';
import { ParleyError } from '@parley/protocol';
import type { ProgramHome } from '../program-home.ts';
import type { AwakeSession } from './awake-session.ts';
import { type Past, pastOf } from './past.ts';
import { type CodeSettings, toProgramOptions } from './settings.ts';

export interface StartSetup {
  readonly provider: Provider;
  readonly home: ProgramHome;
  readonly id: string;
  /** With the real path of the working directory. */
  readonly settings: CodeSettings;
  /** What the session is known to have cost, from an earlier process of it. */
  readonly spentUsd: number | undefined;
}

export async function startSession(awake: AwakeSession, setup: StartSetup): Promise<void> {
  if (!isSessionId(setup.id)) throw new ParleyError('invalid', 'The id of a session must be a UUID.');
  const past = await pastOf(setup.home.projects, setup.settings.workingDir, setup.id);
  try {
    await start(awake, setup, past);
  } catch (error) {
    if (!past || !isWithoutConversation(error)) throw error;
    // A program that died at its first word left a file that it can neither resume nor write over.
    await rename(past.file, `${past.file}.${Date.now()}.unusable`);
    await start(awake, setup, undefined);
  }
}

async function start(awake: AwakeSession, setup: StartSetup, past: Past | undefined): Promise<void> {
  const { provider, home, id, settings } = setup;
  const process = provider.createSession(id, {
    workingDir: settings.workingDir,
    environment: { ...home.variables },
    custom: {
      ...toProgramOptions(settings),
      ...(past ? { resume: id } : { session_id: id }),
      // The program then repeats each prompt with its uuid, which tells when it is taken up.
      replay_user_messages: true,
    },
    onPermission: awake.onPermission,
  });
  const frames = process.frames();
  await begin(process);
  awake.isNew = past === undefined;
  // Where its notes are out of reach, a first turn counts for nothing rather than for all earlier ones again.
  awake.use(process, frames, past ? (setup.spentUsd ?? past.spentUsd ?? Number.POSITIVE_INFINITY) : 0);
}

async function begin(process: Process): Promise<void> {
  try {
    await process.start();
  } catch (error) {
    await process[Symbol.asyncDispose]();
    throw error;
  }
}

function isWithoutConversation(error: unknown): boolean {
  return ((error as ClaudeCliError).stderr ?? '').includes('No conversation found');
}
