// MCP servers as tool sources: one for each configured server, under the server's name.
import { ParleyError } from '@parley/protocol';
import { createOutgoing, type Outgoing } from '../../basics/outgoing.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Logger } from '../../domain/logger.ts';
import type { Risk, Tool, ToolContext, ToolResult, ToolSource } from '../../domain/tool.ts';
import type { ToolHealth, ToolSourceHealth } from '../../domain/tool-health.ts';
import type { Variables } from './child-environment.ts';
import { CallRefused, CallTimedOut } from './failures.ts';
import { ReplaceableServer } from './replaceable-server.ts';
import { toToolResult, untrusted } from './result.ts';
import type { McpServer } from './server.ts';
import { type McpLimits, type McpServerSettings, mcpLimits } from './settings.ts';
import type { ListedTool, ToolHints } from './tool-list.ts';
import { nameTools } from './tool-names.ts';

export interface McpToolsOptions {
  readonly servers: readonly McpServerSettings[];
  /** Names of tool sources that one assistant uses together: no two of their tools may share a name. */
  readonly usedTogether?: readonly (readonly string[])[];
  /** Names that other tools have. */
  readonly reservedNames?: readonly string[];
  /** The variables of this process; programs get only the ones that every program needs. */
  readonly environment: Variables;
  /** How requests to servers leave this machine. Directly by default. */
  readonly outgoing?: Outgoing;
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
  /** Changes with `apply`. */
  readonly sources: readonly ToolSource[];
  status(): readonly McpServerState[];
  /** Servers that are new or different start over; the others are left alone. */
  apply(change: Pick<McpToolsOptions, 'servers' | 'usedTogether'>): void;
  close(): Promise<void>;
}

export function createMcpTools(options: McpToolsOptions): McpTools {
  const { environment, version, clock, logger, outgoing = createOutgoing() } = options;
  const limits = { ...mcpLimits, ...options.limits };
  const reserved = new Set(options.reservedNames ?? []);
  let { usedTogether = [] } = options;
  let servers = options.servers.map(toServer);
  /** Servers that are no longer configured, but in use by a turn. */
  const retired = new Set<ReplaceableServer>();

  function toServer(settings: McpServerSettings): ReplaceableServer {
    return new ReplaceableServer({
      settings,
      limits,
      environment,
      outgoing,
      clientVersion: version,
      clock,
      logger,
    });
  }

  /** The server itself, and those whose tools are in the same requests. */
  const companions = (server: McpServer): readonly McpServer[] => {
    const isTogether = (other: McpServer) =>
      usedTogether.some((names) => names.includes(server.name) && names.includes(other.name));
    // A server that was just replaced takes the place of its successor.
    const all = servers.map((other) => (other.name === server.name ? server : other));
    const known = all.includes(server) ? all : [...all, server];
    return known.filter((other) => other === server || isTogether(other));
  };

  const namesOf = (server: McpServer): ReadonlyMap<string, string> => {
    const offers = companions(server).map(
      ({ name, tools }) => [name, tools.map((tool) => tool.name)] as const,
    );
    return nameTools(new Map(offers), reserved).get(server.name) ?? new Map();
  };

  const toSource = (server: ReplaceableServer): ToolSource => ({
    name: server.name,
    async tools() {
      // Names can only be decided when the tools of all companions are known. A server that is down keeps offering the
      // tools it had, so that a call can say what is wrong.
      await Promise.all(companions(server).map((one) => one.listed()));
      const names = namesOf(server);
      return server.tools.map((tool) => toTool(server, tool, names.get(tool.name) ?? tool.name));
    },
    hold: () => server.hold(),
    close: () => server.close(),
  });

  async function retire(server: ReplaceableServer): Promise<void> {
    try {
      await server.retire();
    } catch (error) {
      logger.warn({ err: error, mcpServer: server.name }, 'an MCP server did not stop cleanly');
    } finally {
      retired.delete(server);
    }
  }

  return {
    get sources() {
      return servers.map(toSource);
    },
    status: () =>
      servers.map((server) => ({
        name: server.name,
        ...server.status,
        tools: [...namesOf(server).values()],
      })),
    apply(change) {
      const before = servers;
      usedTogether = change.usedTogether ?? [];
      servers = change.servers.map(
        (settings) => before.find((server) => server.hasSettings(settings)) ?? toServer(settings),
      );
      for (const server of before.filter((one) => !servers.includes(one))) {
        retired.add(server);
        void retire(server);
      }
    },
    async close() {
      await Promise.all([...servers, ...retired].map((server) => server.close()));
    },
  };
}

function toTool(
  server: McpServer,
  { name: ownName, description, inputSchema, hints }: ListedTool,
  name: string,
): Tool {
  return {
    name,
    ...(name !== ownName && { formerName: ownName }),
    description,
    inputSchema,
    timeoutMs: server.timeoutMs,
    reads: server.isTrusted ? 'private' : 'outside',
    risk: () => Promise.resolve(riskOf(hints, name, server.isTrusted)),
    async run(input, context) {
      try {
        const { signal } = context;
        const onProgress = (message: string) => context.progress(message);
        const result = toToolResult(await server.call(ownName, input, { signal, onProgress }));
        return server.isTrusted ? result : untrusted(result);
      } catch (thrown) {
        return explain(thrown, name, context);
      }
    },
  };
}

/** If the server doesn't say, the worst is assumed, as the specification requires. */
function riskOf(hints: ToolHints, tool: string, isTrusted: boolean): Risk | undefined {
  const { readOnlyHint = false, destructiveHint = true, openWorldHint = true } = hints;
  if (readOnlyHint) return undefined;
  if (openWorldHint && !isTrusted) return { kind: 'send', what: `Call ${tool}` };
  return destructiveHint ? { kind: 'change', what: `Call ${tool}` } : undefined;
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
