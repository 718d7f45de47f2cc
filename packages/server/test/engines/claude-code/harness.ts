// The engine as the server runs it: with a real gateway, a real database, the real program in its own home, and the
// Anthropic stand-in.
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findTranscript } from '@parley/claude-cli';
import {
  type Decision,
  meaningsOf,
  type PermissionRequest,
  type Session,
  type SessionEvent,
} from '@parley/protocol';
import { type AnthropicStandIn, noMind, startAnthropicStandIn } from '@parley/stand-ins';
import { silentLogger } from '../../../src/domain/logger.ts';
import type { WorkFolders } from '../../../src/domain/work-folders.ts';
import { type ClaudeCodeEngine, createClaudeCodeEngine } from '../../../src/engines/claude-code/engine.ts';
import { ownHome, type ProgramHome } from '../../../src/engines/claude-code/program-home.ts';
import {
  createCodeSessions,
  type RunningCodeSessions,
} from '../../../src/engines/claude-code/sessions/code-sessions.ts';
import {
  createTerminals,
  type RunningTerminals,
} from '../../../src/engines/claude-code/terminal/terminals.ts';
import { createWorkFolders } from '../../../src/engines/claude-code/work-folders.ts';
import { createGateway, type RunningGateway } from '../../../src/gateway/gateway.ts';
import { openSqliteStore, type SqliteStore } from '../../../src/stores/sqlite/store.ts';

export const person = 'ada';
const apiKey = 'stand-in-key';

export interface CodeHarness {
  readonly root: string;
  readonly project: string;
  readonly program: string;
  readonly standIn: AnthropicStandIn;
  readonly home: ProgramHome;
  readonly folders: WorkFolders;
  readonly store: SqliteStore;
  readonly engine: ClaudeCodeEngine;
  readonly gateway: RunningGateway;
  readonly sessions: RunningCodeSessions;
  readonly terminals: RunningTerminals;
  /** The session list after a restart of the server. */
  reopenSessions(): RunningCodeSessions;
  newSession(settings?: Readonly<Record<string, unknown>>, id?: string): Promise<Session>;
  close(): Promise<void>;
}

export interface CodeHarnessOptions {
  readonly maxProcesses?: number;
  readonly idleMs?: number;
  readonly warmProcesses?: number;
  /** A path, or the name of a file that the test puts into the root. */
  readonly program?: string;
}

export async function openCodeHarness(options: CodeHarnessOptions = {}): Promise<CodeHarness> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'parley-code-')));
  const project = join(root, 'project');
  await mkdir(project);
  const standIn = await startAnthropicStandIn({ mind: noMind });
  const host = { PATH: '/usr/local/bin:/usr/bin:/bin', TERM: 'xterm-256color', LANG: 'C.UTF-8' };
  const home = await ownHome(join(root, 'home'), host, { url: standIn.url, apiKey });
  const program = options.program === undefined ? undefined : resolve(root, options.program);
  const folders = createWorkFolders({ roots: [project] });
  const engine = createClaudeCodeEngine({
    home,
    folders,
    program,
    defaults: { permissionMode: 'default' },
    limits: {
      maxProcesses: options.maxProcesses ?? 8,
      warmProcesses: options.warmProcesses ?? 0,
      idleMs: options.idleMs ?? 600_000,
    },
    clock: { now: () => Date.now() },
    newId: randomUUID,
  });
  const store = await openSqliteStore({ file: join(root, 'parley.db') });
  const gateway = createGateway({
    store,
    engines: [engine],
    clock: { now: () => Date.now() },
    newId: randomUUID,
    logger: silentLogger,
    observer: { turnEnded() {} },
    limits: { queue: 20, keptEvents: 1_000, log: { events: 4_096, bytes: 8 * 1024 * 1024 } },
  });
  const openSessions = () =>
    createCodeSessions({
      engine,
      gateway,
      store,
      folders,
      owner: person,
      clock: { now: () => Date.now() },
      newId: randomUUID,
      logger: silentLogger,
    });
  const sessions = openSessions();
  const terminals = createTerminals({
    engine,
    gateway,
    folders,
    people: [person],
    defaults: { permissionMode: 'default' },
    idleMs: options.idleMs ?? 600_000,
  });
  return {
    root,
    project,
    program: program ?? '',
    standIn,
    home,
    folders,
    store,
    engine,
    gateway,
    sessions,
    terminals,
    reopenSessions: openSessions,
    newSession: (settings = {}, id) =>
      gateway.createSession(person, {
        ...(id !== undefined && { id }),
        engine: 'claude-code',
        assistant: 'claude-code',
        settings: { workingDir: project, ...settings },
      }),
    async close() {
      await gateway.close();
      await sessions.close();
      await terminals.close();
      await engine.close();
      await store.close();
      await standIn.close();
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

type Ended = Extract<SessionEvent, { type: 'turn.ended' }>;

export interface SeenTurn {
  readonly turnId: string;
  readonly events: readonly SessionEvent[];
  readonly frames: readonly string[];
  readonly ended: Ended;
}

export interface TurnWatch {
  /** Decides each permission; without it, a permission makes the test time out. */
  readonly decide?: (request: PermissionRequest) => Decision | undefined;
  readonly onEvent?: (event: SessionEvent) => void;
}

/** Sends a prompt and reads until its turn is over. */
export async function runTurn(
  { gateway }: CodeHarness,
  id: string,
  text: string,
  { decide, onEvent }: TurnWatch = {},
): Promise<SeenTurn> {
  const admitted = await gateway.prompt({
    person,
    session: id,
    prompt: [{ type: 'text', text }],
    door: 'test',
  });
  const events: SessionEvent[] = [];
  const frames: string[] = [];
  for await (const { turnId, event } of gateway.subscribe(person, id, { after: admitted.after })) {
    if (turnId !== admitted.turnId) continue;
    frames.push(...framesIn([event]));
    for (const meaning of meaningsOf(event)) {
      events.push(meaning);
      onEvent?.(meaning);
    }
    if (event.type === 'permission.asked') {
      const decision = decide?.(event.request);
      if (decision) await gateway.decide(person, id, event.id, decision);
    }
    if (event.type === 'turn.ended') {
      return { turnId: admitted.turnId, events, frames, ended: event };
    }
  }
  throw new Error('the session ended before its turn');
}

export function framesIn(events: readonly SessionEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'frame' ? [event.raw] : []));
}

export const allow: Extract<Decision, { behavior: 'allow' }> = { behavior: 'allow', scope: 'once' };

export async function transcriptLines({ home }: CodeHarness, id: string): Promise<readonly string[]> {
  const file = await findTranscript(home.projects, id);
  if (file === undefined) return [];
  return (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
}

export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}
