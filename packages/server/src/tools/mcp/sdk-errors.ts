// Turns errors of the SDK into the failures of this folder, and into words for people.
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { type Sentence, say } from '@parley/protocol';
import { CallRefused, CallTimedOut, ConnectionLost, SessionLost } from './failures.ts';

const timedOut: number = ErrorCode.RequestTimeout;
const closed: number = ErrorCode.ConnectionClosed;

/** Why a call failed on a connection that seemed fine. */
export function callProblem(cause: unknown): Error {
  if (isSessionLost(cause)) return new SessionLost('the session is gone', { cause });
  if (!(cause instanceof McpError)) return new ConnectionLost(networkReason(cause), { cause });
  if (cause.code === timedOut) return new CallTimedOut('no answer in time', { cause });
  if (cause.code === closed) return new ConnectionLost(say`the connection was closed`, { cause });
  return new CallRefused(cause.message.replace(/^MCP error -?\d+: /, ''), { cause });
}

/** Why there is no connection. */
export function startReason(thrown: unknown, startMs: number): Sentence {
  if (thrown instanceof McpError && thrown.code === timedOut)
    return say`it did not answer within ${startMs / 1_000} seconds`;
  return networkReason(thrown);
}

/** The specification says 404; some servers answer 400 and mention the session. */
export function isSessionLost(thrown: unknown): boolean {
  if (!(thrown instanceof StreamableHTTPError)) return false;
  return thrown.code === 404 || (thrown.code === 400 && /session/i.test(thrown.message));
}

export function networkReason(thrown: unknown): Sentence {
  if (thrown instanceof StreamableHTTPError) {
    if (thrown.code === 401 || thrown.code === 403) return say`it refused the credentials (${thrown.code})`;
    return say`it answered with status ${thrown.code ?? 'unknown'}`;
  }
  if (!(thrown instanceof Error)) return say`${String(thrown)}`;
  if (thrown.message.startsWith('SSE stream disconnected')) return say`the connection was lost`;
  if (!(thrown.cause instanceof Error)) return say`${thrown.message}`;
  const { code, message } = thrown.cause as NodeJS.ErrnoException;
  return say`it cannot be reached (${code ?? message})`;
}
