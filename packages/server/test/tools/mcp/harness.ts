// MCP servers as tool sources, called as the engine calls them. Records everything that a person would see.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished, vi } from 'vitest';
import type { LogFields, Logger } from '../../../src/domain/logger.ts';
import type { Tool, ToolEvent, ToolResult, ToolSource } from '../../../src/domain/tool.ts';
import type { McpServerSettings, StdioSettings } from '../../../src/tools/mcp/settings.ts';
import {
  createMcpTools,
  type McpServerState,
  type McpTools,
  type McpToolsOptions,
} from '../../../src/tools/mcp/source.ts';
import { contextOf, toolNamed } from '../calls.ts';

export interface LogLine extends LogFields {
  readonly level: string;
  readonly message: string;
}

export interface Call {
  readonly result: Promise<ToolResult>;
  readonly events: ToolEvent[];
  readonly progress: string[];
  abort(): void;
}

export class McpHarness {
  readonly tools: McpTools;
  readonly log: LogLine[] = [];

  constructor(servers: readonly McpServerSettings[], options: Partial<McpToolsOptions> = {}) {
    this.tools = createMcpTools({
      servers: servers.map((server) => ({ trusted: true, ...server })),
      environment: process.env,
      version: '1.2.3',
      clock: { now: () => Date.now() },
      logger: this.#logger(),
      ...options,
      limits: { graceMs: 300, ...options.limits },
    });
    onTestFinished(() => this.tools.close());
  }

  async list(source: string): Promise<readonly Tool[]> {
    return this.#source(source).tools();
  }

  async names(source: string): Promise<readonly string[]> {
    return (await this.list(source)).map(({ name }) => name);
  }

  /** Starts a call and does not wait for its end. */
  async begin(source: string, name: string, input: Readonly<Record<string, unknown>> = {}): Promise<Call> {
    const tool = await toolNamed(this.#source(source), name);
    const events: ToolEvent[] = [];
    const progress: string[] = [];
    const stop = new AbortController();
    const context = contextOf({
      signal: stop.signal,
      emit: async (event) => void events.push(event),
      progress: (message) => void progress.push(message),
    });
    const result = tool.run(input, context);
    // A test that fails before it waits for the call must show its own failure.
    result.catch(() => undefined);
    return { result, events, progress, abort: () => stop.abort() };
  }

  async call(
    source: string,
    name: string,
    input: Readonly<Record<string, unknown>> = {},
  ): Promise<ToolResult> {
    return (await this.begin(source, name, input)).result;
  }

  /** The text of a call that is expected to work. */
  async text(source: string, name: string, input: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const { content, failed } = await this.call(source, name, input);
    if (failed === true || typeof content !== 'string')
      throw new Error(`unexpected: ${JSON.stringify(content)}`);
    return content;
  }

  status(source: string): McpServerState {
    const found = this.tools.status().find(({ name }) => name === source);
    if (found === undefined) throw new Error(`no server ${source}`);
    return found;
  }

  async until(source: string, state: McpServerState['state']): Promise<McpServerState> {
    return vi.waitUntil(() => {
      const found = this.status(source);
      return found.state === state && found;
    }, patience);
  }

  #source(wanted: string): ToolSource {
    const found = this.tools.sources.find(({ name }) => name === wanted);
    if (found === undefined) throw new Error(`no source ${wanted}`);
    return found;
  }

  #logger(fields: LogFields = {}): Logger {
    const line = (level: string) => (more: LogFields, message: string) =>
      void this.log.push({ ...fields, ...more, level, message });
    return {
      debug: line('debug'),
      info: line('info'),
      warn: line('warn'),
      error: line('error'),
      child: (more) => this.#logger({ ...fields, ...more }),
    };
  }
}

/** For a loaded machine. */
export const patience = { timeout: 60_000, interval: 20 };

const require = createRequire(import.meta.url);

const manifests = {
  everything: require.resolve('@modelcontextprotocol/server-everything/package.json'),
  filesystem: require.resolve('@modelcontextprotocol/server-filesystem/package.json'),
  memory: require.resolve('@modelcontextprotocol/server-memory/package.json'),
};

/** A server from npm, run by its bin. */
export function fromNpm(name: keyof typeof manifests, ...args: readonly string[]): StdioSettings {
  const program = join(dirname(manifests[name]), 'dist', 'index.js');
  return { kind: 'stdio', command: process.execPath, args: [program, ...args], env: {} };
}

export function odd(...flags: readonly string[]): StdioSettings {
  const program = fileURLToPath(new URL('./programs/odd-server.mjs', import.meta.url));
  return { kind: 'stdio', command: process.execPath, args: [program, ...flags], env: {} };
}

export function server(
  name: string,
  connection: McpServerSettings['connection'],
  timeoutMs?: number,
): McpServerSettings {
  return { name, connection, timeoutMs };
}

export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-mcp-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
