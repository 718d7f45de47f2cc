// One connection to an MCP server, through the official SDK. It is opened and closed once. Loaded on first use, because the
// SDK is large.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { type Progress, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { type Sentence, say } from '@parley/protocol';
import type { Outgoing } from '../../basics/outgoing.ts';
import type { Variables } from './child-environment.ts';
import { ConnectionLost } from './failures.ts';
import { CallResult } from './result.ts';
import { callProblem, startReason } from './sdk-errors.ts';
import type { McpLimits, McpServerSettings } from './settings.ts';
import { listTools, type ToolList } from './tool-list.ts';
import { openWire } from './wire.ts';

export interface ConnectionOptions {
  readonly settings: McpServerSettings;
  readonly limits: McpLimits;
  /** The variables of this process; a program gets a few of them. */
  readonly environment: Variables;
  readonly outgoing: Outgoing;
  readonly clientVersion: string;
  /** Ends the attempt to connect. */
  readonly signal: AbortSignal;
  /** Called once when the connection ends without `close`. */
  readonly onLost: (reason: Sentence) => void;
  readonly onToolsChanged: (list: ToolList) => void;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (message: string) => void;
}

export interface Connection {
  /** Of the program, if the server is one. */
  readonly pid: number | undefined;
  /** As it was when the connection was opened. */
  readonly list: ToolList;
  /** Rejects with one of failures.ts, or with the reason of the signal. */
  call(tool: string, input: Readonly<Record<string, unknown>>, options: CallOptions): Promise<CallResult>;
  close(): Promise<void>;
}

/** Rejects with ConnectionLost, whose message says why there is no connection. */
export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  const { settings, limits, signal } = options;
  const wire = openWire(settings.connection, limits, options);
  const client = new Client({ name: 'parley', title: 'Parley', version: options.clientVersion });
  const isGone = () => client.transport === undefined;
  const endReason = () => wire.ending() ?? say`the connection was closed`;
  let phase: 'opening' | 'open' | 'closing' = 'opening';
  // The SDK has properties for these instead of events.
  Object.assign(client, {
    onclose: () => {
      if (phase === 'open') options.onLost(endReason());
    },
    onerror: (error: Error) => {
      if (phase === 'open') void wire.onError(client, error);
    },
  });

  try {
    const whileOpening = { timeout: limits.startMs, signal };
    await client.connect(wire.transport, whileOpening);
    const list = await listTools(client, limits, whileOpening);
    refreshOnChange(client, options);
    if (isGone()) throw new Error(endReason());
    phase = 'open';
    return { pid: wire.pid(), list, call, close };
  } catch (thrown) {
    const reason = wire.ending() ?? startReason(thrown, limits.startMs);
    await close();
    throw new ConnectionLost(reason, { cause: thrown });
  }

  async function call(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    { signal, onProgress }: CallOptions,
  ): Promise<CallResult> {
    try {
      return await client.request(
        { method: 'tools/call', params: { name: tool, arguments: { ...input } } },
        CallResult,
        {
          signal,
          timeout: settings.timeoutMs ?? limits.callMs,
          onprogress: (progress) => onProgress(progressText(progress)),
        },
      );
    } catch (thrown) {
      signal.throwIfAborted();
      throw isGone() ? new ConnectionLost(endReason(), { cause: thrown }) : callProblem(thrown);
    }
  }

  async function close(): Promise<void> {
    phase = 'closing';
    await wire.close();
    await client.close();
  }
}

/** When changes come faster than the list can be read, only the last one counts. */
function refreshOnChange(client: Client, { limits, onToolsChanged }: ConnectionOptions): void {
  let isReading = false;
  let isStale = false;
  client.setNotificationHandler(ToolListChangedNotificationSchema, async () => {
    isStale = true;
    if (isReading) return;
    isReading = true;
    try {
      while (isStale) {
        isStale = false;
        onToolsChanged(await listTools(client, limits, { timeout: limits.startMs }));
      }
    } catch {
      // Keep the old list. A lost server is noticed elsewhere.
    } finally {
      isReading = false;
    }
  });
}

function progressText({ progress, total, message }: Progress): string {
  if (message !== undefined && message !== '') return message;
  return total === undefined ? `${progress}` : `${progress} of ${total}`;
}
