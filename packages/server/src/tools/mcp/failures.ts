// What can go wrong with an MCP server, apart from what its tools report themselves.

/** The program ended or the network broke: every call on this connection has failed. */
export class ConnectionLost extends Error {}

/** An HTTP server has forgotten the session. It has done nothing, so the call can go to a new session. */
export class SessionLost extends Error {}

/** The server gave no answer in time. */
export class CallTimedOut extends Error {}

/** The server refused the call as such; its message says why. */
export class CallRefused extends Error {}
