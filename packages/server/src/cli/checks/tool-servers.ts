// Do the configured MCP servers start and offer tools?
import { type Check, ok, warning } from './check.ts';

/** Only warns: if a server doesn't start, only its tools are missing. */
export const toolServers: Check = {
  name: 'MCP servers',
  async run({ config, environment, outgoing, signal }) {
    const { configuredServers } = await import('../../app/outside-tools.ts');
    const { tryServer } = await import('../../app/try-server.ts');
    const servers = configuredServers(config);
    if (servers.length === 0) return [ok('none configured except the recipe vault')];
    return Promise.all(
      servers.map(async (server) => {
        const { name } = server;
        const { problem, tools } = await tryServer(server, { environment, outgoing, signal });
        return problem === null
          ? ok(`${name}: ${tools.length} tools`)
          : warning(`${name}: ${problem}`, `Check mcpServers.${name} in the configuration.`);
      }),
    );
  },
};
