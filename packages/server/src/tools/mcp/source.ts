// MCP servers as tool sources: one for each configured server, under the server's name.
import { ParleyError } from '@parley/protocol';
import type { Clock } from '../../domain/clock.ts';
import type { Logger } from '../../domain/logger.ts';
import type { Tool, ToolContext, ToolResult, ToolSource } from '../../domain/tool.ts';
import type { ToolHealth, ToolSourceHealth } from '../../domain/tool-health.ts';
import type { Variables } from './child-environment.ts';
import { CallRefused, CallTimedOut } from './failures.ts';
import { toToolResult } from './result.ts';
import { McpServer } from './server.ts';
import { type McpLimits, type McpServerSettings, mcpLimits } from './settings.ts';
import type { ServerTool } from './tool-list.ts';
import { nameTools } from './tool-names.ts';

export interface McpToolsOptions {
  readonly servers: readonly McpServerSettings[];
  /** Names of tool sources that one assistant uses together: no two of their tools may share a name. */
  readonly usedTogether?: readonly (readonly string[])[];
  /** Names that other tools have. */
  readonly reservedNames?: readonly string[];
  /** The variables of this process; programs get only the ones that every program needs. */
  readonly environment: Variables;
  /** Parley's version, sent to servers. */
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits?: Partial<McpLimits>;
}

export interface McpServerState extends ToolSourceHealth {
  /** Of the running program, if the server is one. */
  readonly pid: number | undefined;
}

export interface McpTools extends ToolHealth {
  readonly sources: readonly ToolSource[];
  status(): readonly McpServerState[];
  close(): Promise<void>;
}

export function createMcpTools(options: McpToolsOptions): McpTools {
  const { servers: settings, usedTogether = [], environment, version, clock, logger } = options;
  const limits = { ...mcpLimits, ...options.limits };
  const reserved = new Set(options.reservedNames ?? []);
  const servers = settings.map(
    (one) => new McpServer({ settings: one, limits, environment, clientVersion: version, clock, logger }),
  );

  /** The server itself, and those whose tools are in the same requests. */
  const companions = (server: McpServer): readonly McpServer[] =>
    servers.filter(
      (other) =>
        other === server ||
        usedTogether.some((names) => names.includes(server.name) && names.includes(other.name)),
    );

  const namesOf = (server: McpServer): ReadonlyMap<string, string> => {
    const offers = companions(server).map(
      ({ name, tools }) => [name, tools.map((tool) => tool.name)] as const,
    );
    return nameTools(new Map(offers), reserved).get(server.name) ?? new Map();
  };

  const toSource = (server: McpServer): ToolSource => ({
    name: server.name,
    async tools() {
      // Names can only be decided when the tools of all companions are known. A server that is down keeps offering the
      // tools it had, so that a call can say what is wrong.
      await Promise.all(companions(server).map((one) => one.listed()));
      const names = namesOf(server);
      return server.tools.map((tool) => toTool(server, tool, names.get(tool.name) ?? tool.name));
    },
    close: () => server.close(),
  });

  return {
    sources: servers.map(toSource),
    status: () =>
      servers.map((server) => ({
        name: server.name,
        ...server.status,
        tools: [...namesOf(server).values()],
      })),
    async close() {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

function toTool(
  server: McpServer,
  { name: ownName, description, inputSchema }: ServerTool,
  name: string,
): Tool {
  return {
    name,
    description,
    inputSchema,
    timeoutMs: server.timeoutMs,
    async run(input, context) {
      try {
        const { signal } = context;
        return toToolResult(
          await server.call(ownName, input, { signal, onProgress: (message) => context.progress(message) }),
        );
      } catch (thrown) {
        return explain(thrown, name, context);
      }
    },
  };
}

/** Explains a failure to the model, and also to the person when the server itself is down. */
async function explain(thrown: unknown, tool: string, context: ToolContext): Promise<ToolResult> {
  if (thrown instanceof CallRefused) return failed(thrown.message);
  if (thrown instanceof CallTimedOut)
    return failed(`${tool} did not answer in time and was stopped. It may still have taken effect.`);
  if (!(thrown instanceof ParleyError) || thrown.code !== 'unavailable') throw thrown;
  await context.emit({ type: 'notice', code: 'tool_server_unavailable', message: thrown.message });
  return failed(thrown.message);
}

function failed(content: string): ToolResult {
  return { content, failed: true };
}
