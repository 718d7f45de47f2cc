// MCP servers over streamable HTTP: one from npm as a separate process, and one in this process, on the official SDK,
// that can forget its sessions.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { fromNpm, patience } from './harness.ts';

/** `server-everything` on a port; resolves when it accepts requests. */
export async function startEverything(port: number): Promise<ChildProcess> {
  const { command, args } = fromNpm('everything', 'streamableHttp');
  const child = spawn(command, [...args], {
    env: { PATH: process.env['PATH'], PORT: `${port}` },
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await vi.waitUntil(
    () =>
      fetch(`http://127.0.0.1:${port}/mcp`, { method: 'DELETE' }).then(
        () => true,
        () => false,
      ),
    patience,
  );
  return child;
}

export interface ForgetfulServer {
  readonly url: string;
  readonly headersSeen: readonly IncomingMessage['headers'][];
  /** How often the tool `count` ran. */
  readonly calls: number;
  forget(): void;
  /** From now on, it forgets the session of each call before the call runs. */
  forgetAlways(): void;
}

export async function startForgetful(): Promise<ForgetfulServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const headersSeen: IncomingMessage['headers'][] = [];
  let calls = 0;
  let forgetsAlways = false;

  const open = async (): Promise<StreamableHTTPServerTransport> => {
    const mcp = new McpServer({ name: 'forgetful', version: '1' });
    mcp.registerTool('count', { inputSchema: { by: z.number() } }, ({ by }) => {
      calls += by;
      return { content: [{ type: 'text', text: `${calls}` }] };
    });
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await mcp.connect(transport);
    return transport;
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    headersSeen.push(request.headers);
    const text = Buffer.concat((await request.toArray()) as Buffer[]).toString();
    const body = text === '' ? undefined : (JSON.parse(text) as { readonly method?: string });
    if (forgetsAlways && body?.method === 'tools/call') sessions.clear();
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : await open();
    if (known === undefined) response.writeHead(404).end('no such session');
    else await known.handleRequest(request, response, body);
  };

  const http = createServer((request, response) => void handle(request, response));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    headersSeen,
    get calls() {
      return calls;
    },
    forget: () => sessions.clear(),
    forgetAlways: () => {
      forgetsAlways = true;
    },
  };
}
