// The two ways to a server: a program's stdin and stdout, or streamable HTTP.
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { childEnvironment, type Variables } from './child-environment.ts';
import { isSessionLost, networkReason } from './sdk-errors.ts';
import type { HttpSettings, McpLimits, McpServerSettings, StdioSettings } from './settings.ts';
import { StdioTransport } from './stdio-transport.ts';

export interface Wire {
  readonly transport: Transport;
  pid(): number | undefined;
  /** Why it ended, if it did and that is known. */
  ending(): string | undefined;
  /** Something went wrong on a connection that stands: closes the client when that means that the server is gone. */
  onTrouble(client: Client, error: Error): Promise<void>;
  close(): Promise<void>;
}

export function openWire(
  connection: McpServerSettings['connection'],
  limits: McpLimits,
  environment: Variables,
): Wire {
  switch (connection.kind) {
    case 'stdio':
      return stdioWire(connection, limits, environment);
    case 'http':
      return httpWire(connection);
    default:
      return connection satisfies never;
  }
}

function stdioWire(settings: StdioSettings, { graceMs }: McpLimits, host: Variables): Wire {
  const { command, args, cwd, env } = settings;
  const transport = new StdioTransport({ command, args, cwd, env: childEnvironment(host, env), graceMs });
  return {
    transport,
    pid: () => transport.pid,
    ending: () => transport.ending,
    // The end of the program tells by itself; all else, such as a line that is no message, is no end.
    onTrouble: () => Promise.resolve(),
    close: () => transport.close(),
  };
}

const pingMs = 3_000;
const farewellMs = 1_000;

function httpWire({ url, headers }: HttpSettings): Wire {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
  });
  let ending: string | undefined;
  let isAsking = false;
  return {
    transport,
    pid: () => undefined,
    ending: () => ending,
    async onTrouble(client, error) {
      // HTTP knows no crash: a server that does not answer after trouble on the wire counts as gone.
      if (isAsking || ending !== undefined) return;
      isAsking = true;
      try {
        await client.ping({ timeout: pingMs });
      } catch (thrown) {
        if (isSessionLost(thrown)) return;
        ending = networkReason(error);
        await client.close();
      } finally {
        isAsking = false;
      }
    },
    async close() {
      if (ending === undefined) {
        const farewell = transport.terminateSession().catch(() => undefined);
        await Promise.race([farewell, new Promise((resolve) => setTimeout(resolve, farewellMs).unref())]);
      }
      await transport.close();
    },
  };
}
