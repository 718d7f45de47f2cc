// Builds Claude Code: the engine for the gateway, and on top of both the list of sessions and the terminals.
import { randomUUID } from 'node:crypto';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import type { PersonName } from '@parley/protocol';
import type { Outgoing } from '../basics/outgoing.ts';
import { createChanges } from '../changes/session-changes.ts';
import { SnapshotRecords } from '../changes/snapshot-records.ts';
import { createTurnSnapshots } from '../changes/turn-snapshots.ts';
import type { Environment } from '../config/environment.ts';
import { changesFolder, ownPaths, transcriptTextFile, trustedFoldersFile } from '../config/files.ts';
import type { Config } from '../config/schema.ts';
import { demoProgramHome } from '../demo/layout.ts';
import type { Access } from '../domain/access.ts';
import type { Changes } from '../domain/changes.ts';
import { systemClock } from '../domain/clock.ts';
import type { FilePlaces } from '../domain/files.ts';
import type { FolderTrust } from '../domain/folder-trust.ts';
import type { Gateway } from '../domain/gateway.ts';
import type { Logger } from '../domain/logger.ts';
import type { Spending } from '../domain/spending.ts';
import type { WorkFolders, WorkRoot } from '../domain/work-folders.ts';
import { type ClaudeCodeEngine, createClaudeCodeEngine } from '../engines/claude-code/engine.ts';
import { moveSessions } from '../engines/claude-code/move-sessions.ts';
import {
  createProgramHomes,
  createStandInHomes,
  homeFolder,
  type ProgramHomes,
  type ProgramHomesOptions,
} from '../engines/claude-code/program-homes.ts';
import { type FoundSandbox, findSandbox } from '../engines/claude-code/sandbox/find-sandbox.ts';
import { createSandbox, noSandboxText } from '../engines/claude-code/sandbox/sandbox.ts';
import {
  createCodeSessions,
  type RunningCodeSessions,
} from '../engines/claude-code/sessions/code-sessions.ts';
import type { CodeSessionsOptions } from '../engines/claude-code/sessions/code-sessions-options.ts';
import { createTerminals, type RunningTerminals } from '../engines/claude-code/terminal/terminals.ts';
import type { TerminalsOptions } from '../engines/claude-code/terminal/terminals-options.ts';
import { createFolderTrust } from '../engines/claude-code/trust/folder-trust.ts';
import { createWorkFolders } from '../engines/claude-code/work-folders.ts';
import { type HiddenIn, hiddenIn } from '../folders/file-places.ts';
import { openTranscriptText } from '../stores/sqlite/transcript-text.ts';

export interface ClaudeCodeSetup {
  readonly config: Config;
  /** The Anthropic API that the program uses. */
  readonly upstream: { readonly apiKey: string | undefined; readonly baseUrl: string };
  readonly environment: Environment;
  readonly outgoing: Outgoing;
  readonly store: Pick<CodeSessionsOptions['store'], 'codeSessions'>;
  readonly spending: Spending;
  /** Whether there are several people. */
  readonly isShared: () => boolean;
  /** Whether the person may turn off the program's questions. */
  readonly mayBypass: (person: PersonName) => boolean;
  readonly logger: Logger;
}

export interface ClaudeCode {
  /** Finds out once which sandbox this machine has. Call it before anything runs in a work folder. */
  findSandbox(): Promise<void>;
  /** Applies changed work roots and defaults. */
  apply(config: Config): void;
  readonly engine: ClaudeCodeEngine;
  readonly workFolders: WorkFolders;
  readonly folderTrust: FolderTrust;
  readonly hidden: HiddenIn;
  changesIn(places: FilePlaces): Changes;
  /** Call it once there is a gateway. */
  openList(parts: {
    readonly gateway: Gateway;
    readonly access: Access;
    readonly store: CodeSessionsOptions['store'];
    readonly elsewhere?: CodeSessionsOptions['elsewhere'];
    readonly onTerminalUsage?: TerminalsOptions['onUsage'];
  }): {
    readonly sessions: RunningCodeSessions;
    readonly terminals: RunningTerminals;
  };
}

/** A waiting process takes about 150 MB, which a small machine needs for other things. */
export function usualWarmProcesses(machineBytes: number): number {
  return machineBytes >= 4 * 1024 ** 3 ? 1 : 0;
}

export function prepareClaudeCode(setup: ClaudeCodeSetup): ClaudeCode {
  const { config, logger } = setup;
  const { claude } = config;
  let found: FoundSandbox = { kind: 'none', reason: 'missing' };
  let finding: Promise<void> | undefined;
  // Changed in place, because every part reads these two when it needs them.
  const roots: WorkRoot[] = [];
  const defaults: { model?: string; permissionMode?: string } = {};
  const apply = (current: Config) => {
    roots.splice(0, roots.length, ...current.workRoots);
    const { model, permissionMode } = current.claude;
    delete defaults.model;
    delete defaults.permissionMode;
    Object.assign(
      defaults,
      model !== undefined && { model },
      permissionMode !== undefined && { permissionMode },
    );
  };
  apply(config);
  const workFolders = createWorkFolders({ roots, sandbox: config.sandbox, found: () => found });
  const idleMs = claude.idleMinutes * 60_000;
  const homes = homesOf(setup);
  const sandbox = createSandbox({
    found: () => found,
    folders: workFolders,
    hidden: ownPaths(config),
    readable: config.sandboxReads,
    host: homes.host,
  });
  const trust = createFolderTrust({
    folders: workFolders,
    file: trustedFoldersFile(config),
    ownFolder: async (person) => (await homes.of(person)).config,
    clock: systemClock,
    logger,
  });
  const shared = {
    folders: workFolders,
    trust,
    sandbox,
    defaults,
    mayBypass: setup.mayBypass,
    clock: systemClock,
    newId: randomUUID,
    logger,
  };
  const records = new SnapshotRecords(changesFolder(config));
  const hidden = hiddenIn(workFolders, ownPaths(config));
  const engine = createClaudeCodeEngine({
    ...shared,
    snapshots: createTurnSnapshots({ folders: workFolders, hidden, records, logger }),
    program: claude.path,
    homes,
    outgoing: setup.outgoing,
    spending: setup.spending,
    limits: {
      maxProcesses: claude.maxProcesses,
      isShared: setup.isShared,
      warmProcesses: claude.warmProcesses ?? usualWarmProcesses(availableMemory()),
      idleMs,
    },
  });
  return {
    findSandbox() {
      finding ??= findSandbox(setup.environment['PATH']).then((sandbox) => {
        found = sandbox;
        warnWithoutSandbox(config, found, logger);
      });
      return finding;
    },
    apply,
    engine,
    workFolders,
    folderTrust: trust,
    hidden,
    changesIn: (places) =>
      createChanges({
        places,
        folders: workFolders,
        hidden,
        records,
        ownVariables: (person) =>
          config.demo || person !== homes.owner ? undefined : gitVariables(setup.environment),
        isWorkingIn: (folder) => engine.isWorkingIn(folder),
      }),
    openList({ gateway, access, store, elsewhere, onTerminalUsage }) {
      const text = openTranscriptText(transcriptTextFile(config));
      const sessions = createCodeSessions({ ...shared, engine, gateway, access, store, elsewhere, text });
      const close = async () => {
        await sessions.close();
        await text.close();
      };
      return {
        sessions: { ...sessions, close },
        terminals: createTerminals({
          ...shared,
          engine,
          gateway,
          people: claude.terminalPeople ?? [homes.owner],
          ...(onTerminalUsage && { onUsage: onTerminalUsage }),
          idleMs,
        }),
      };
    },
  };
}

/** Separate homes in demo mode. Otherwise the owner uses the user's home, with the user's login and transcripts. */
function homesOf({ config, upstream, environment, outgoing, store, logger }: ClaudeCodeSetup): ProgramHomes {
  const owner = config.claude.owner ?? config.people[0] ?? '';
  const folderOf = (person: PersonName) => homeFolder(config.dataDir, person);
  const shared: ProgramHomesOptions = {
    owner,
    folderOf,
    upstream,
    shareLogin: config.claude.shareLogin,
    /** Moves sessions from the home that the person used before: the owner's, or the owner's former separate one. */
    async prepare(person, home, ownersHome) {
      const known = await store.codeSessions.known();
      const own = [...known].filter(([, session]) => session.person === person).map(([id]) => id);
      const from = person === owner ? join(folderOf(person), '.claude') : ownersHome.config;
      const moved = await moveSessions(new Set(own), { from, to: home.config }, (error) =>
        logger.warn({ err: error, person }, "could not move a session to its person's home"),
      );
      if (moved.length > 0) logger.info({ person, sessions: moved.length }, 'moved sessions to another home');
    },
  };
  if (!config.demo) return createProgramHomes({ ...environment, ...outgoing.variables }, shared);
  return createStandInHomes(environment, {
    ...shared,
    upstream: { ...upstream, apiKey: upstream.apiKey ?? 'demo' },
    ownersFolder: demoProgramHome(config.home),
  });
}

/** Lets git use the configuration and the SSH keys of the user who runs Parley. */
function gitVariables({ HOME, SSH_AUTH_SOCK }: Environment): Readonly<Record<string, string>> | undefined {
  if (HOME === undefined) return undefined;
  return {
    HOME,
    GIT_CONFIG_GLOBAL: join(HOME, '.gitconfig'),
    ...(SSH_AUTH_SOCK !== undefined && { SSH_AUTH_SOCK }),
  };
}

function warnWithoutSandbox(config: Config, found: FoundSandbox, logger: Logger): void {
  const modes = config.workRoots.map((root) => root.sandbox ?? config.sandbox);
  if (found.kind !== 'none' || !modes.some((mode) => mode !== 'off')) return;
  const { reason, detail } = found;
  logger.warn({ reason, detail }, `claude runs without a sandbox: ${noSandboxText(reason)}`);
}

/** The machine's memory, or the limit of the container if that is lower. */
function availableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
