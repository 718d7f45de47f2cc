// The engine as the server runs it: with a real gateway, a real database, the real program in its own home, and the
// Anthropic stand-in.

import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { findTranscript } from '@parley/claude-cli';
import {
  type BudgetRule,
  type Decision,
  meaningsOf,
  type PermissionRequest,
  type Session,
  type SessionEvent,
  type Usage,
} from '@parley/protocol';
import { type AnthropicStandIn, noFallback, reply, startAnthropicStandIn } from '@parley/stand-ins';
import { type Access, onlyOwnSessions } from '../../../src/domain/access.ts';
import type { FolderTrust } from '../../../src/domain/folder-trust.ts';
import { silentLogger } from '../../../src/domain/logger.ts';
import type { Budgets, Spending } from '../../../src/domain/spending.ts';
import type { WorkFolders, WorkRoot } from '../../../src/domain/work-folders.ts';
import { type ClaudeCodeEngine, createClaudeCodeEngine } from '../../../src/engines/claude-code/engine.ts';
import type { ProgramHome } from '../../../src/engines/claude-code/program-home.ts';
import {
  createProgramHomes,
  createStandInHomes,
  type ProgramHomes,
  type ProgramHomesOptions,
} from '../../../src/engines/claude-code/program-homes.ts';
import { type FoundSandbox } from '../../../src/engines/claude-code/sandbox/find-sandbox.ts';
import { createSandbox } from '../../../src/engines/claude-code/sandbox/sandbox.ts';
import {
  createCodeSessions,
  type RunningCodeSessions,
} from '../../../src/engines/claude-code/sessions/code-sessions.ts';
import {
  createTerminals,
  type RunningTerminals,
} from '../../../src/engines/claude-code/terminal/terminals.ts';
import { createWorkFolders } from '../../../src/engines/claude-code/work-folders.ts';
import type { RunningGateway } from '../../../src/gateway/gateway.ts';
import { openSpending } from '../../../src/gateway/spending.ts';
import { openSqliteStore, type SqliteStore } from '../../../src/stores/sqlite/store.ts';
import { openTranscriptText } from '../../../src/stores/sqlite/transcript-text.ts';
import { trustBelow } from '../../support/folder-trust.ts';
import { openGateway } from '../../support/open-gateway.ts';

export const person = 'ada';
const apiKey = 'stand-in-key';

export interface CodeHarness {
  readonly root: string;
  readonly project: string;
  readonly program: string;
  readonly standIn: AnthropicStandIn;
  readonly homes: ProgramHomes;
  /** The home of the owner. */
  readonly home: ProgramHome;
  readonly folders: WorkFolders;
  readonly trust: FolderTrust;
  readonly store: SqliteStore;
  readonly spending: Spending & Budgets;
  readonly engine: ClaudeCodeEngine;
  readonly gateway: RunningGateway;
  readonly sessions: RunningCodeSessions;
  readonly terminals: RunningTerminals;
  /** What terminals have used: session, model and usage. */
  readonly terminalUsage: readonly (readonly [string, string, Usage])[];
  /** The session list after a restart of the server. */
  reopenSessions(access?: Access): RunningCodeSessions;
  newSession(settings?: Readonly<Record<string, unknown>>, id?: string, of?: string): Promise<Session>;
  close(): Promise<void>;
}

export interface CodeHarnessOptions {
  readonly maxProcesses?: number;
  readonly idleMs?: number;
  readonly warmProcesses?: number;
  /** In bytes. */
  readonly freeMemory?: number;
  /** Programs run in this sandbox. */
  readonly found?: FoundSandbox;
  /** More work roots, given the folder of the test. */
  readonly roots?: (root: string) => readonly WorkRoot[];
  /** The owner has the home of a user, as outside of demo mode. */
  readonly usersHome?: boolean;
  readonly prepareHome?: ProgramHomesOptions['prepare'];
  /** Rules of budgets. */
  readonly budgets?: readonly BudgetRule[];
  /** The program asks the stand-in directly, not through the relay. */
  readonly ownLogin?: boolean;
  /** A path, or the name of a file that the test puts into the root. */
  readonly program?: string;
}

export async function openCodeHarness(options: CodeHarnessOptions = {}): Promise<CodeHarness> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'parley-code-')));
  const project = join(root, 'project');
  await mkdir(project);
  const standIn = await startAnthropicStandIn({ fallback: noFallback });
  const host = { PATH: '/usr/local/bin:/usr/bin:/bin', TERM: 'xterm-256color', LANG: 'C.UTF-8' };
  const shared = {
    owner: person,
    folderOf: (name: string) => join(root, 'parley', 'people', name, 'claude'),
    upstream: { baseUrl: standIn.url, apiKey },
    ...(options.prepareHome && { prepare: options.prepareHome }),
  };
  if (options.usersHome) await mkdir(join(root, 'home'));
  const ownHomes = options.usersHome
    ? createProgramHomes({ ...host, HOME: join(root, 'home'), IS_SANDBOX: '1' }, shared)
    : createStandInHomes(host, { ...shared, ownersFolder: join(root, 'home') });
  const homes = options.ownLogin ? withOwnLogin(ownHomes, standIn.url) : ownHomes;
  const home = await homes.of(person);
  const program = options.program === undefined ? undefined : resolve(root, options.program);
  const roots = [{ path: project }, ...(options.roots?.(root) ?? [])];
  const { found } = options;
  const folders = createWorkFolders({ roots, ...(found && { found: () => found, sandbox: 'auto' }) });
  const sandbox = found && {
    sandbox: createSandbox({
      found: () => found,
      folders,
      hidden: [join(root, 'parley')],
      readable: [],
      host,
    }),
  };
  const trust = trustBelow(root, folders);
  const store = await openSqliteStore({ file: join(root, 'parley.db') });
  const text = openTranscriptText(join(root, 'words.db'));
  const spending = await openSpending({
    rules: store.budgets,
    spent: store.budgets,
    book: store.usage,
    fileRules: options.budgets ?? [],
    clock: { now: () => Date.now() },
    logger: silentLogger,
  });
  const engine = createClaudeCodeEngine({
    homes,
    spending,
    ...sandbox,
    trust,
    program,
    defaults: { permissionMode: 'default' },
    limits: {
      maxProcesses: options.maxProcesses ?? 8,
      warmProcesses: options.warmProcesses ?? 0,
      idleMs: options.idleMs ?? 600_000,
    },
    freeMemory: () => options.freeMemory ?? Number.POSITIVE_INFINITY,
    clock: { now: () => Date.now() },
    newId: randomUUID,
  });
  const gateway = openGateway({ store, engines: [engine], limits: { keptEvents: 1_000 } });
  const openSessions = (access: Access = onlyOwnSessions) =>
    createCodeSessions({
      engine,
      gateway,
      access,
      store,
      text,
      folders,
      clock: { now: () => Date.now() },
      newId: randomUUID,
      logger: silentLogger,
    });
  const sessions = openSessions();
  const terminalUsage: [string, string, Usage][] = [];
  const terminals = createTerminals({
    engine,
    gateway,
    trust,
    ...sandbox,
    people: [person],
    onUsage: ({ id }, model, usage) => terminalUsage.push([id, model, usage]),
    defaults: { permissionMode: 'default' },
    idleMs: options.idleMs ?? 600_000,
  });
  return {
    root,
    project,
    program: program ?? '',
    standIn,
    homes,
    home,
    folders,
    trust,
    store,
    spending,
    engine,
    gateway,
    sessions,
    terminals,
    terminalUsage,
    reopenSessions: openSessions,
    newSession: (settings = {}, id, of = person) =>
      gateway.createSession(of, {
        ...(id !== undefined && { id }),
        engine: 'claude-code',
        assistant: 'claude-code',
        settings: { workingDir: project, ...settings },
      }),
    async close() {
      await gateway.close();
      await sessions.close();
      await text.close();
      await terminals.close();
      await engine.close();
      await store.close();
      await standIn.close();
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** As if somebody had logged in with the program. */
function withOwnLogin(homes: ProgramHomes, url: string): ProgramHomes {
  const login = { ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: apiKey };
  return {
    ...homes,
    upstream: undefined,
    of: async (name) => {
      const home = await homes.of(name);
      return { ...home, variables: { ...home.variables, ...login } };
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
  readonly decide?: (request: PermissionRequest) => Decision | undefined | Promise<Decision>;
  readonly onEvent?: (event: SessionEvent) => void;
  /** Whose session it is. */
  readonly as?: string;
}

/** Sends a prompt and reads until its turn is over. */
export async function runTurn(
  { gateway }: CodeHarness,
  id: string,
  text: string,
  { decide, onEvent, as = person }: TurnWatch = {},
): Promise<SeenTurn> {
  const admitted = await gateway.prompt({
    person: as,
    session: id,
    prompt: [{ type: 'text', text }],
    door: 'test',
  });
  const events: SessionEvent[] = [];
  const frames: string[] = [];
  for await (const { turnId, event } of gateway.subscribe(as, id, { after: admitted.after })) {
    if (turnId !== admitted.turnId) continue;
    frames.push(...framesIn([event]));
    for (const meaning of meaningsOf(event)) {
      events.push(meaning);
      onEvent?.(meaning);
    }
    if (event.type === 'permission.asked') {
      const decision = await decide?.(event.request);
      if (decision) await gateway.decide(as, id, event.id, decision);
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

/** Opens the session's terminal, types a prompt, waits for the answer on the screen, and closes the terminal. */
export async function promptOnScreen({ terminals, standIn }: CodeHarness, id: string): Promise<void> {
  let screen = '';
  const viewer = { data: (bytes: Uint8Array) => (screen += Buffer.from(bytes)).length > 0, ended() {} };
  const link = await terminals.attach(person, id, viewer);
  await eventually(() => screen.includes('❯'));
  standIn.enqueue(reply('Shown on the screen.'));
  link.write(Buffer.from('Hello'));
  link.write(Buffer.from('\r'));
  await eventually(() => /Shown\s*on\s*the\s*screen/.test(stripVTControlCharacters(screen)));
  await terminals.end(person, id);
}
