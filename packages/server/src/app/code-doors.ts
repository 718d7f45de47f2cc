// Builds the doors of Claude Code: the sockets of its pages and terminals, and its part of the HTTP door.
import type { Config } from '../config/schema.ts';
import type { ActivityFeed } from '../domain/activity.ts';
import type { CodeSessions } from '../domain/code-sessions.ts';
import type { FolderTrust } from '../domain/folder-trust.ts';
import type { Gateway } from '../domain/gateway.ts';
import type { Logger } from '../domain/logger.ts';
import type { Terminals } from '../domain/terminal.ts';
import type { WorkFolders } from '../domain/work-folders.ts';
import type { ClaudeCodeParts } from '../doors/http/options.ts';
import type { UpgradeHandler } from '../doors/http/upgrades.ts';
import { liveSockets } from '../doors/websocket/live-socket.ts';
import { sessionSockets } from '../doors/websocket/session-socket.ts';
import { terminalSockets } from '../doors/websocket/terminal-socket.ts';

export interface CodeDoorsSetup {
  readonly config: Config;
  readonly gateway: Gateway;
  readonly sessions: CodeSessions;
  readonly terminals: Terminals;
  readonly workFolders: WorkFolders;
  readonly folderTrust: FolderTrust;
  readonly activity: ActivityFeed;
  readonly logger: Logger;
}

export interface CodeDoors extends ClaudeCodeParts {
  /** Handles the live connections of pages, for all engines. */
  readonly live: UpgradeHandler;
}

/** How many transcript lines a new page gets; it requests older ones on demand. */
const cachedMessages = 100;
const writer = { bufferedBytes: 512 * 1024, stalledMs: 30_000, pingMs: 30_000 };

export function openCodeDoors(setup: CodeDoorsSetup): CodeDoors {
  const { config, sessions, terminals, workFolders, folderTrust, activity } = setup;
  return {
    sessions,
    workFolders,
    folderTrust,
    activity,
    live: liveSockets({ ...setup, codeSessions: sessions, writer }),
    pages: sessionSockets({
      ...setup,
      demo: config.demo,
      promptLength: config.limits.messageChars,
      cachedMessages,
      writer,
    }),
    mayUseTerminal: (person) => terminals.allows(person),
    terminals: terminalSockets({ sessions, terminals, writer }),
    endTerminal: (person, id) => terminals.end(person, id),
  };
}
