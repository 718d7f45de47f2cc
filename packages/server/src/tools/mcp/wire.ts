// The ways to reach a server: stdin and stdout of a program, streamable HTTP, or a call in this process.
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Sentence } from '@parley/protocol';
import type { Outgoing } from '../../basics/outgoing.ts';
import { outgoingFetch } from '../../basics/outgoing-dispatcher.ts';
import { childEnvironment, type Variables } from './child-environment.ts';
import { isSessionLost, networkReason } from './sdk-errors.ts';
import type {
  HttpSettings,
  InProcessSettings,
  McpLimits,
  McpServerSettings,
  StdioSettings,
} from './settings.ts';
import { StdioTransport } from './stdio-transport.ts';

export interface Wire {
  readonly transport: Transport;
  pid(): number | undefined;
  /** Why it ended, if it did and the reason is known. */
  ending(): Sentence | undefined;
  /** Handles an error on an open connection: closes the client if the server is gone. */
  onError(client: Client, error: Error): Promise<void>;
  close(): Promise<void>;
}

/** What a connection gets from this process. */
interface Host {
  readonly environment: Variables;
  readonly outgoing: Outgoing;
}

export function openWire(connection: McpServerSettings['connection'], limits: McpLimits, host: Host): Wire {
  switch (connection.kind) {
    case 'stdio':
      return stdioWire(connection, limits, host);
    case 'http':
      return httpWire(connection, host.outgoing);
    case 'in-process':
      return inProcessWire(connection);
    default:
      return connection satisfies never;
  }
}

function stdioWire(settings: StdioSettings, { graceMs }: McpLimits, host: Host): Wire {
  const { command, args, cwd, ownFolder } = settings;
  const env = childEnvironment(host.environment, { ...host.outgoing.variables, ...settings.env });
  const transport = new StdioTransport({ command, args, cwd, ownFolder, env, graceMs });
  return {
    transport,
    pid: () => transport.pid,
    ending: () => transport.ending,
    // The exit of the program is noticed elsewhere; other errors, such as an invalid line, don't end the connection.
    onError: () => Promise.resolve(),
    close: () => transport.close(),
  };
}

const pingMs = 3_000;
const goodbyeMs = 1_000;

function httpWire({ url, headers }: HttpSettings, outgoing: Outgoing): Wire {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: outgoingFetch(outgoing),
    requestInit: { headers: { ...headers } },
  });
  let ending: Sentence | undefined;
  let isAsking = false;
  return {
    transport,
    pid: () => undefined,
    ending: () => ending,
    async onError(client, error) {
      // HTTP has no crash signal: a server that doesn't answer a ping after an error counts as gone.
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
        const goodbye = transport.terminateSession().catch(() => undefined);
        await Promise.race([goodbye, new Promise((resolve) => setTimeout(resolve, goodbyeMs).unref())]);
      }
      await transport.close();
    },
  };
}

function inProcessWire({ serve }: InProcessSettings): Wire {
  const [transport, theirs] = InMemoryTransport.createLinkedPair();
  let ending: Sentence | undefined;
  serve(theirs).catch((error: unknown) => {
    ending = networkReason(error);
    void transport.close();
  });
  return {
    transport,
    pid: () => undefined,
    ending: () => ending,
    onError: () => Promise.resolve(),
    close: () => transport.close(),
  };
}
