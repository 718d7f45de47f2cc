// The doors of Claude Code with the real program and the Anthropic stand-in.
import { WebSocket } from 'ws';
import { silentLogger } from '../../../src/domain/logger.ts';
import { sessionSockets } from '../../../src/doors/websocket/session-socket.ts';
import { terminalSockets } from '../../../src/doors/websocket/terminal-socket.ts';
import {
  type CodeHarness,
  type CodeHarnessOptions,
  openCodeHarness,
  person,
} from '../../engines/claude-code/harness.ts';
import { key, startDoor } from '../http/door-harness.ts';
import { PageClient } from './page-client.ts';

export interface RealDoor {
  readonly code: CodeHarness;
  readonly url: string;
  /** Connects and waits for the greeting. */
  open(id: string, after?: number): Promise<PageClient>;
  terminal(id: string): WebSocket;
  fetch(path: string, init?: { method: string; body: unknown }): Promise<Response>;
  close(): Promise<void>;
}

export async function openRealDoor(options: CodeHarnessOptions = {}): Promise<RealDoor> {
  const code = await openCodeHarness(options);
  const { gateway, sessions, terminals, folders, trust } = code;
  const writer = { bufferedBytes: 256 * 1024, stalledMs: 30_000, pingMs: 30_000 };
  const pages = sessionSockets({
    gateway,
    sessions,
    logger: silentLogger,
    demo: false,
    promptLength: 100_000,
    cachedMessages: 100,
    writer,
  });
  const http = await startDoor({
    gateway,
    people: [person],
    claudeCode: {
      sessions,
      workFolders: folders,
      folderTrust: trust,
      pages,
      mayUseTerminal: (name) => terminals.allows(name),
      terminals: terminalSockets({ sessions, terminals, writer }),
      endTerminal: (person, id) => terminals.end(person, id),
    },
    limits: { requestsPerMinute: { perAddress: 100_000, overall: 100_000 }, openStreams: 1_000 },
  });
  const headers = { 'x-api-key': key, 'x-notes-person': person };
  const clients = new Set<PageClient>();
  return {
    code,
    url: http.url,
    async open(id, after) {
      const query = after === undefined ? '' : `?after=${after}`;
      const client = new PageClient(`${http.url}/api/claude/sessions/${id}/ws${query}`, headers);
      clients.add(client);
      return client.greeted();
    },
    terminal: (id) =>
      new WebSocket(`${http.url.replace('http', 'ws')}/api/claude/sessions/${id}/terminal`, { headers }),
    fetch: (path, init) =>
      fetch(http.url + path, {
        method: init?.method ?? 'GET',
        headers: { ...headers, ...(init && { 'content-type': 'application/json' }) },
        ...(init && { body: JSON.stringify(init.body) }),
      }),
    async close() {
      for (const client of clients) client.drop();
      await http.stop();
      await code.close();
    },
  };
}
