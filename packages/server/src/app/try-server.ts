// Tries an MCP server: starts it, lists its tools and stops it.
import { type McpTrialResult, say } from '@parley/protocol';
import type { Outgoing } from '../basics/outgoing.ts';
import type { Environment } from '../config/environment.ts';
import type { Tried } from '../domain/app-settings.ts';
import { systemClock } from '../domain/clock.ts';
import { silentLogger } from '../domain/logger.ts';
import type { McpServerSettings } from '../tools/mcp/settings.ts';
import { createMcpTools } from '../tools/mcp/source.ts';
import { version } from '../version.ts';

export interface TrialHost {
  readonly environment: Environment;
  readonly outgoing: Outgoing;
  readonly signal: AbortSignal;
}

const longestDescription = 500;

/** Never rejects: the result says why the server doesn't work. */
export async function tryServer(server: McpServerSettings, host: TrialHost): Promise<Tried<McpTrialResult>> {
  const { environment, outgoing, signal } = host;
  const mcp = createMcpTools({
    servers: [server],
    environment,
    outgoing,
    version,
    clock: systemClock,
    logger: silentLogger,
  });
  // Closing also cancels a start.
  const stop = () => void mcp.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const tools = signal.aborted ? [] : await mcp.sources[0]?.tools();
    const [status] = mcp.status();
    if (status?.state !== 'ready') {
      const problem = signal.aborted ? say`it took too long` : (status?.lastError ?? say`it does not answer`);
      return { ok: false, tools: [], problem };
    }
    const shown = (tools ?? []).map(({ name, description }) => ({
      name,
      description: description.slice(0, longestDescription),
    }));
    return { ok: true, tools: shown, problem: null };
  } finally {
    signal.removeEventListener('abort', stop);
    await mcp.close();
  }
}
