// Do the configured MCP servers start and offer tools?
import { systemClock } from '../../domain/clock.ts';
import { silentLogger } from '../../domain/logger.ts';
import { version } from '../../version.ts';
import { type Check, ok, warning } from './check.ts';

/** Only warns: if a server doesn't start, only its tools are missing. */
export const toolServers: Check = {
  name: 'Tool servers',
  async run({ config, environment, outgoing }) {
    const { configuredServers } = await import('../../app/outside-tools.ts');
    const servers = configuredServers(config);
    if (servers.length === 0) return [ok('none configured except the recipe vault')];

    const { createMcpTools } = await import('../../tools/mcp/source.ts');
    const common = {
      usedTogether: [],
      reservedNames: [],
      environment,
      outgoing,
      version,
      clock: systemClock,
    };
    const mcp = createMcpTools({ ...common, servers, logger: silentLogger });
    try {
      await Promise.all(mcp.sources.map((source) => source.tools()));
      return mcp
        .status()
        .map(({ name, state, tools, lastError }) =>
          state === 'ready'
            ? ok(`${name}: ${tools.length} tools`)
            : warning(
                `${name}: ${lastError ?? 'does not answer'}`,
                `Check mcpServers.${name} in the configuration.`,
              ),
        );
    } finally {
      await mcp.close();
    }
  },
};
