// What the composition root hands to the HTTP door.
import type { PersonName } from '@parley/protocol';
import type { Registry } from 'prom-client';
import type { ActivityFeed } from '../../domain/activity.ts';
import type { ChannelHealth } from '../../domain/channel-health.ts';
import type { Clock } from '../../domain/clock.ts';
import type { CodeSessions } from '../../domain/code-sessions.ts';
import type { Gateway, NewSession } from '../../domain/gateway.ts';
import type { LinkedInConnections } from '../../domain/linkedin.ts';
import type { Logger } from '../../domain/logger.ts';
import type { LoginStore } from '../../domain/logins.ts';
import type { RecipeShelf } from '../../domain/recipes.ts';
import type { ToolHealth } from '../../domain/tool-health.ts';
import type { UsageBook } from '../../domain/usage-book.ts';
import type { WorkFolders } from '../../domain/work-folders.ts';
import type { AssistantEntry } from './household/routes.ts';
import type { PasswordSource } from './login/family-password.ts';
import type { CredentialCheck } from './policy/credentials.ts';
import type { UpgradeHandler } from './upgrades.ts';

export interface HttpDoorOptions {
  readonly gateway: Gateway;
  readonly people: readonly PersonName[];
  readonly credentials: CredentialCheck;
  readonly login: LoginParts;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Host names to answer to, beside loopback and the bound address; without ports. */
  readonly allowedHosts: readonly string[];
  /** The path below which Parley is reached, such as `/parley`; empty when it has a host of its own. */
  readonly basePath?: string;
  /** The folder of the built web app. */
  readonly webAppFolder?: string;
  /** Addresses or CIDR ranges whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  readonly limits: HttpLimits;
  readonly metrics: Registry;
  readonly logger: Logger;
  readonly version: string;
  readonly demo: boolean;
  /** What a new session of the notes endpoints shall be. */
  readonly notes: NewSession;
  /** What a new conversation of the chat endpoints shall be. */
  readonly chat: NewSession;
  readonly assistants: readonly AssistantEntry[];
  /** Among which a person may choose for a conversation; the first one answers unless they do. */
  readonly models: readonly string[];
  /** What turns used and cost. */
  readonly usage: UsageBook;
  readonly recipes: RecipeShelf;
  readonly toolHealth: ToolHealth;
  readonly channelHealth: ChannelHealth;
  /** Absent where people cannot connect LinkedIn. */
  readonly linkedIn?: { readonly connections: LinkedInConnections };
  /** Claude Code sessions; absent where that engine is switched off. */
  readonly claudeCode?: ClaudeCodeParts;
  /** How often an open stream says that it is alive. */
  readonly pingMs?: number;
  readonly clock?: Clock;
}

interface LoginParts {
  readonly store: LoginStore;
  readonly password: PasswordSource;
  /** A login ends when it was not used for so many days. */
  readonly days: number;
}

export interface ClaudeCodeParts {
  readonly sessions: CodeSessions;
  readonly workFolders: WorkFolders;
  readonly activity: ActivityFeed;
  /** Takes the sockets of pages. */
  readonly pages: UpgradeHandler;
  readonly mayUseTerminal: (person: PersonName) => boolean;
  /** Takes the sockets of terminals. */
  readonly terminals: UpgradeHandler;
}

export interface HttpLimits {
  /** Counted while the body arrives, before anything is parsed. */
  readonly bodyBytes: number;
  /** Characters of one message. */
  readonly messageLength: number;
  readonly requestsPerMinute: {
    /** Per client address; IPv6 counts by /64. */
    readonly perAddress: number;
    readonly overall: number;
  };
  /** Requests that may wait for a turn at once, as a stream or for the whole answer; one of several people gets half. */
  readonly openStreams: number;
  /** A client that reads nothing for so long is cut off. */
  readonly stalledMs: number;
}
