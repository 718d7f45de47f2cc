// What can go wrong with an MCP server, apart from errors that its tools report.
import type { Sentence } from '@parley/protocol';

/** The program ended or the network broke: every call on this connection has failed. */
export class ConnectionLost extends Error {
  readonly reason: Sentence;

  constructor(reason: Sentence, options?: ErrorOptions) {
    super(reason, options);
    this.reason = reason;
  }
}

/** An HTTP server has forgotten the session. The call had no effect, so it can go to a new session. */
export class SessionLost extends Error {}

/** The server did not answer in time. */
export class CallTimedOut extends Error {}

/** The server refused the call; the message says why. */
export class CallRefused extends Error {}
