// The WebSocket door behind the HTTP door, in front of the real gateway, a real database and the frame engine.
import { ParleyError } from '@parley/protocol';
import { WebSocket } from 'ws';
import { onlyOwnSessions } from '../../../src/domain/access.ts';
import { systemClock } from '../../../src/domain/clock.ts';
import { silentLogger } from '../../../src/domain/logger.ts';
import type { WorkFolders } from '../../../src/domain/work-folders.ts';
import type { HttpDoor } from '../../../src/doors/http/door.ts';
import { liveSockets } from '../../../src/doors/websocket/live-socket.ts';
import { Presence } from '../../../src/doors/websocket/presence.ts';
import { type SessionSocketOptions, sessionSockets } from '../../../src/doors/websocket/session-socket.ts';
import { terminalSockets } from '../../../src/doors/websocket/terminal-socket.ts';
import { createActivityLog } from '../../../src/gateway/activity-log.ts';
import type { EventLogLimits } from '../../../src/gateway/event-log.ts';
import type { RunningGateway } from '../../../src/gateway/gateway.ts';
import { watchTitles } from '../../../src/gateway/watch-titles.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/store.ts';
import { trustBelow } from '../../support/folder-trust.ts';
import { openGateway } from '../../support/open-gateway.ts';
import { type HarnessOptions, key, startDoor } from '../http/door-harness.ts';
import { EchoTerminals } from './echo-terminals.ts';
import { FrameEngine } from './frame-engine.ts';
import { MemorySessions } from './memory-sessions.ts';
import { PageClient } from './page-client.ts';

export interface CodeDoor {
  readonly url: string;
  readonly door: HttpDoor;
  readonly gateway: RunningGateway;
  readonly engine: FrameEngine;
  readonly sessions: MemorySessions;
  readonly terminals: EchoTerminals;
  newSession(config?: Record<string, unknown>): Promise<string>;
  /** Connects and waits for the greeting. */
  open(id: string, options?: OpenOptions): Promise<PageClient>;
  fetch(
    path: string,
    init?: { method?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<Response>;
  stop(): Promise<void>;
}

const sandbox = { kind: 'none', reason: 'off', required: false } as const;

/** A garden with two beds, one of them under version control. */
const workFolders: WorkFolders = {
  async listDirectories(_person, path) {
    if (path === undefined) {
      return {
        path,
        parent: undefined,
        sandbox: undefined,
        folders: [{ name: 'garden', path: '/work/garden', git: undefined, sandbox }],
        isCut: false,
      };
    }
    if (!path.startsWith('/work'))
      throw new ParleyError('forbidden', `${path} is outside the allowed folders.`);
    return {
      path,
      parent: undefined,
      sandbox,
      folders: [
        { name: 'bed', path: '/work/garden/bed', git: { branch: 'main', isDirty: true }, sandbox },
        {
          name: 'loose',
          path: '/work/garden/loose',
          git: { branch: undefined, isDirty: undefined },
          sandbox,
        },
      ],
      isCut: true,
    };
  },
  check: async (_person, path) => path,
  sandboxOf: () => sandbox,
  rootOf: async () => '/work',
  foreignRoots: async () => [],
};

interface OpenOptions {
  readonly after?: number | string;
  readonly person?: string;
}

export async function startCodeDoor(
  options: Partial<SessionSocketOptions> & {
    readonly http?: HarnessOptions;
    /** How much the gateway keeps in memory. */
    readonly log?: EventLogLimits;
    readonly linger?: { readonly ms: number; readonly sessions: number };
    readonly presence?: Presence;
    /** Gets the server's end of every live connection. */
    readonly serving?: (socket: WebSocket) => void;
  } = {},
): Promise<CodeDoor> {
  const store = await openSqliteStore({ file: ':memory:' });
  const engine = new FrameEngine();
  const activity = createActivityLog({ clock: systemClock, watch: watchTitles(() => sessions) });
  const gateway = openGateway({
    store,
    engines: [engine],
    activity,
    limits: {
      log: options.log ?? { events: 4_096, bytes: 4_000_000 },
      linger: options.linger ?? { ms: 60_000, sessions: 100 },
    },
  });
  const sessions: MemorySessions = new MemorySessions(gateway, engine);
  const terminals = new EchoTerminals();
  const writer = options.writer ?? { bufferedBytes: 256 * 1024, stalledMs: 30_000, pingMs: 30_000 };
  const pages = sessionSockets({
    gateway,
    sessions,
    logger: silentLogger,
    demo: true,
    promptLength: 10_000,
    cachedMessages: 100,
    ...options,
    writer,
  });
  const live = liveSockets({
    gateway,
    activity,
    access: onlyOwnSessions,
    presence: options.presence ?? new Presence(),
    codeSessions: sessions,
    writer,
    logger: silentLogger,
  });
  const http = await startDoor({
    gateway,
    activity,
    live: async (request) => {
      const take = await live(request);
      return (socket) => {
        options.serving?.(socket);
        take(socket);
      };
    },
    claudeCode: {
      sessions,
      workFolders,
      folderTrust: trustBelow('/nowhere', workFolders),
      pages,
      mayUseTerminal: (name) => terminals.allows(name),
      terminals: terminalSockets({ sessions, terminals, writer }),
      endTerminal: (person, id) => terminals.end(person, id),
    },
    ...options.http,
    limits: {
      requestsPerMinute: { perAddress: 100_000, overall: 100_000 },
      openStreams: 1_000,
      waitingBytes: { each: 64 * 1024 * 1024, all: 256 * 1024 * 1024 },
      ...options.http?.limits,
    },
  });
  const { url } = http;
  const clients = new Set<PageClient>();

  return {
    url,
    door: http.door,
    gateway,
    engine,
    sessions,
    terminals,
    async newSession(config) {
      const wanted = { workingDir: '/work/garden', mode: 'ui' as const, ...(config && { config }) };
      return (await sessions.create('sebastian', wanted)).id;
    },
    async open(id, { after, person = 'sebastian' } = {}) {
      const query = after === undefined ? '' : `?after=${after}`;
      const client = new PageClient(`${url}/api/claude/sessions/${id}/ws${query}`, {
        'x-api-key': key,
        'x-notes-person': person,
      });
      clients.add(client);
      return client.greeted();
    },
    fetch: (path, { method = 'GET', body, headers } = {}) =>
      fetch(url + path, {
        method,
        headers: {
          'x-api-key': key,
          'x-notes-person': 'sebastian',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    async stop() {
      for (const client of clients) client.drop();
      await http.stop();
      await gateway.close();
      await store.close();
    },
  };
}

/** The status and body of a refused upgrade. */
export function refusal(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace('http', 'ws'), { headers });
    socket.on('unexpected-response', (request, response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () => {
        request.destroy();
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) });
      });
    });
    socket.on('open', () => {
      socket.terminate();
      reject(new Error('the upgrade was let through'));
    });
    socket.on('error', reject);
  });
}
