// Builds Claude Code: the engine for the gateway, and on top of both the list of sessions and the terminals.
import { randomUUID } from 'node:crypto';
import type { Environment } from '../config/environment.ts';
import type { Config } from '../config/schema.ts';
import { demoProgramHome } from '../demo/layout.ts';
import { systemClock } from '../domain/clock.ts';
import type { Gateway } from '../domain/gateway.ts';
import type { Logger } from '../domain/logger.ts';
import type { WorkFolders } from '../domain/work-folders.ts';
import { type ClaudeCodeEngine, createClaudeCodeEngine } from '../engines/claude-code/engine.ts';
import { ownHome, type ProgramHome, userHome } from '../engines/claude-code/program-home.ts';
import {
  createCodeSessions,
  type RunningCodeSessions,
} from '../engines/claude-code/sessions/code-sessions.ts';
import type { CodeSessionsOptions } from '../engines/claude-code/sessions/options.ts';
import { createTerminals, type RunningTerminals } from '../engines/claude-code/terminal/terminals.ts';
import { createWorkFolders } from '../engines/claude-code/work-folders.ts';

export interface ClaudeCodeSetup {
  readonly config: Config;
  /** The Anthropic API that the program uses. */
  readonly upstream: { readonly apiKey: string | undefined; readonly baseUrl: string };
  readonly environment: Environment;
  readonly logger: Logger;
}

export interface ClaudeCode {
  readonly engine: ClaudeCodeEngine;
  readonly workFolders: WorkFolders;
  /** Call it once there is a gateway. */
  openList(parts: { readonly gateway: Gateway; readonly store: CodeSessionsOptions['store'] }): {
    readonly sessions: RunningCodeSessions;
    readonly terminals: RunningTerminals;
  };
}

export async function prepareClaudeCode(setup: ClaudeCodeSetup): Promise<ClaudeCode> {
  const { config, logger } = setup;
  const { claude } = config;
  const workFolders = createWorkFolders({ roots: config.workRoots });
  const defaults = {
    ...(claude.model !== undefined && { model: claude.model }),
    ...(claude.permissionMode !== undefined && { permissionMode: claude.permissionMode }),
  };
  const idleMs = claude.idleMinutes * 60_000;
  const shared = { folders: workFolders, defaults, clock: systemClock, newId: randomUUID, logger };
  const engine = createClaudeCodeEngine({
    ...shared,
    program: claude.path,
    home: await homeOf(setup),
    limits: { maxProcesses: claude.maxProcesses, warmProcesses: claude.warmProcesses, idleMs },
  });
  const owner = claude.owner ?? config.people[0] ?? '';
  return {
    engine,
    workFolders,
    openList: ({ gateway, store }) => ({
      sessions: createCodeSessions({ ...shared, engine, gateway, store, owner }),
      terminals: createTerminals({
        ...shared,
        engine,
        gateway,
        people: claude.terminalPeople ?? [owner],
        idleMs,
      }),
    }),
  };
}

/** A separate home in demo mode; else the user's home, so that the program uses the user's login and transcripts. */
async function homeOf({ config, upstream, environment }: ClaudeCodeSetup): Promise<ProgramHome> {
  if (!config.demo) return userHome(environment, upstream);
  const demoModel = { url: upstream.baseUrl, apiKey: upstream.apiKey ?? 'demo' };
  return ownHome(demoProgramHome(config.home), environment, demoModel);
}
