// Starts the program for a session. Everything that can go wrong before there is a process throws here.
import { statSync } from 'node:fs';
import type { CircuitBreaker } from './breaker.ts';
import { ClaudeCliError } from './errors.ts';
import { buildArguments } from './flags/flag-table.ts';
import type { ClaudeOptions } from './flags/options.ts';
import type { Spawn } from './process/claude-process.ts';
import type { Watchdog } from './process/watchdog.ts';
import { Run, type RunListeners } from './run.ts';
import type { CheckedSessionConfig } from './session-config.ts';
import { spentBefore } from './transcripts/spent.ts';

/** What a session needs from its provider. */
export interface SessionSetup {
  readonly id: string;
  readonly config: CheckedSessionConfig;
  readonly environment: Readonly<Record<string, string>>;
  readonly findProgram: () => string;
  readonly breaker: CircuitBreaker;
  readonly watchdog: Watchdog;
  readonly spawn?: Spawn | undefined;
  /** Called when a process of this session starts and when it is gone. */
  readonly onAlive: (isAlive: boolean) => void;
}

/** Throws a `ClaudeCliError` if the program cannot be started. */
export function startRun(setup: SessionSetup, options: ClaudeOptions, listeners: RunListeners): Run {
  const { workingDir, limits } = setup.config;
  if (!isDirectory(workingDir)) {
    throw new ClaudeCliError('start_failed', `The working directory ${workingDir} does not exist.`);
  }
  const { environment } = setup;
  const reading = new AbortController();
  try {
    const run = new Run({
      program: setup.findProgram(),
      args: buildArguments(options),
      workingDir,
      environment,
      spentUsd: spentBefore(options, { workingDir, environment, signal: reading.signal }),
      limits,
      watchdog: setup.watchdog,
      spawn: setup.spawn,
      ...listeners,
    });
    void run.ended.then(() => reading.abort());
    return run;
  } catch (error) {
    throw asStartFailure(error);
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function asStartFailure(error: unknown): ClaudeCliError {
  if (error instanceof ClaudeCliError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new ClaudeCliError('start_failed', `The program could not be started: ${reason}.`, { cause: error });
}
