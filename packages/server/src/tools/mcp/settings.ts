// The settings of an MCP server, and the limits.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

export interface McpServerSettings {
  /** The name of the tool source. */
  readonly name: string;
  readonly connection: StdioSettings | HttpSettings | InProcessSettings;
  /** Its data is the household's own: results are not marked as untrusted. */
  readonly trusted?: boolean | undefined;
  /** A call that takes longer fails. */
  readonly timeoutMs?: number | undefined;
}

/** A program that speaks MCP over its stdin and stdout. */
export interface StdioSettings {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** In addition to the few variables that every program gets. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  /** Where it runs without a `cwd`. Created for it, readable for this user only. */
  readonly ownFolder?: string | undefined;
}

/** A remote server that speaks MCP over streamable HTTP. */
export interface HttpSettings {
  readonly kind: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A server in this process. */
export interface InProcessSettings {
  readonly kind: 'in-process';
  /** Answers on the transport until it is closed. Called for each connection. */
  readonly serve: (transport: Transport) => Promise<void>;
}

export const mcpLimits = {
  startMs: 20_000,
  callMs: 60_000,
  /** How long a program may take to exit before it is killed. */
  graceMs: 2_000,
  /** The first pause before a restart; each further one is twice as long. */
  firstPauseMs: 1_000,
  longestPauseMs: 60_000,
  /** After this long without a crash, pauses start over. */
  healthyMs: 60_000,
  tools: 256,
  descriptionLength: 8_000,
};
export type McpLimits = Readonly<typeof mcpLimits>;

/** Values that must not appear in any message. */
export function secretsOf({ connection }: McpServerSettings): readonly string[] {
  return Object.values(secretValues(connection)).filter((value) => value.length >= 4);
}

function secretValues(connection: McpServerSettings['connection']): Readonly<Record<string, string>> {
  switch (connection.kind) {
    case 'stdio':
      return connection.env;
    case 'http':
      return connection.headers;
    case 'in-process':
      return {};
    default:
      return connection satisfies never;
  }
}
