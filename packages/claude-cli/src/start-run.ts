// Starts the program for a session, with other options if the first ones fail.
import { statSync } from 'node:fs';
import type { StartGuard } from './breaker.ts';
import type { StartOptions } from './conversation.ts';
import { ClaudeCliError } from './errors.ts';
import { fitOptions } from './flags/fit-options.ts';
import { buildArguments } from './flags/flag-table.ts';
import type { ClaudeOptions } from './flags/options.ts';
import type { Spawn } from './process/claude-process.ts';
import { programCommand } from './process/discover.ts';
import { isFailureOfOldProgram, type Program } from './process/program.ts';
import type { Watchdog } from './process/watchdog.ts';
import type { Wrap } from './process/wrap.ts';
import { Run, type RunListeners } from './run.ts';
import type { CheckedSessionConfig } from './session-config.ts';
import { spentBefore } from './transcripts/spent.ts';

/** What a session needs from its provider. */
export interface SessionSetup {
  readonly id: string;
  readonly config: CheckedSessionConfig;
  readonly environment: Readonly<Record<string, string>>;
  readonly program: Program;
  readonly breaker: StartGuard;
  readonly watchdog: Watchdog;
  readonly spawn?: Spawn | undefined;
  /** Called when a process of this session starts and when it is gone. */
  readonly onAlive: (isAlive: boolean) => void;
}

interface Attempts {
  readonly program: Program;
  /** Aborts when somebody stops the session. */
  readonly stopping: AbortSignal;
  /** `isLast`: there is no fallback left. Throws if the program cannot be started. */
  readonly spawn: (options: ClaudeOptions, isLast: boolean) => Run;
}

/** Returns the first run that becomes ready, or throws the last failure. */
export async function startAttempts([options, fallback]: StartOptions, attempts: Attempts): Promise<Run> {
  const started = await tryToStart(options, fallback === undefined, attempts);
  if (started instanceof Run) return started;
  if (fallback === undefined || attempts.stopping.aborted) throw started;
  return startAttempts([fallback], attempts);
}

/** If the program turns out to be old, starts it once more with only the options that it supports. */
async function tryToStart(
  options: ClaudeOptions,
  isLast: boolean,
  { program, stopping, spawn }: Attempts,
): Promise<Run | ClaudeCliError> {
  const started = await untilReady(spawn(options, isLast));
  if (started instanceof Run || !isFailureOfOldProgram(started)) return started;
  const hasLearned = await program.learn(stopping);
  return hasLearned && !stopping.aborted ? untilReady(spawn(options, isLast)) : started;
}

function untilReady(run: Run): Promise<Run | ClaudeCliError> {
  return run.ready.then(
    () => run,
    (error: ClaudeCliError) => error,
  );
}

/** Throws a `ClaudeCliError` if the program cannot be started. */
export function startRun(setup: SessionSetup, wanted: ClaudeOptions, listeners: RunListeners): Run {
  const { workingDir, limits, wrap = unwrapped } = setup.config;
  if (!isDirectory(workingDir)) {
    throw new ClaudeCliError('start_failed', `The working directory ${workingDir} does not exist.`);
  }
  const { environment } = setup;
  const reading = new AbortController();
  try {
    const { path, capabilities } = setup.program.find();
    const { options, warnings } = fitOptions(wanted, capabilities);
    const command = programCommand(path);
    const { file, args, layers } = wrap({
      file: command.file,
      args: [...command.args, ...buildArguments(options)],
    });
    const run = new Run({
      program: file,
      args,
      layers,
      workingDir,
      environment,
      spentUsd: spentBefore(options, { workingDir, environment, signal: reading.signal }),
      limits,
      watchdog: setup.watchdog,
      spawn: setup.spawn,
      ...listeners,
    });
    void run.ended.then(() => reading.abort());
    if (warnings.length > 0) listeners.onEvents(warnings);
    return run;
  } catch (error) {
    throw asStartFailure(error);
  }
}

const unwrapped: Wrap = (command) => ({ ...command, layers: 0 });

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function asStartFailure(error: unknown): ClaudeCliError {
  if (error instanceof ClaudeCliError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new ClaudeCliError('start_failed', `The program could not be started: ${reason}.`, { cause: error });
}
