// What the HTTP door needs from the composition root.
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
  /** Host names to accept besides loopback and the bound address, without ports. */
  readonly allowedHosts: readonly string[];
  /** The path prefix that Parley is served under, such as `/parley`; empty if it has its own host. */
  readonly basePath?: string;
  /** The folder of the built web app. */
  readonly webAppFolder?: string;
  /** Addresses or CIDR ranges whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  readonly limits: HttpLimits;
  readonly metrics: Registry;
  readonly logger: Logger;
  readonly version: string;
  readonly demo: boolean;
  /** What the notes endpoints create as a new session. */
  readonly notes: NewSession;
  /** What the chat endpoints create as a new conversation. */
  readonly chat: NewSession;
  readonly assistants: readonly AssistantEntry[];
  /** The models a person can choose from; the first is the default. */
  readonly models: readonly string[];
  /** Tokens and cost of turns. */
  readonly usage: UsageBook;
  readonly recipes: RecipeShelf;
  readonly toolHealth: ToolHealth;
  readonly channelHealth: ChannelHealth;
  /** Absent if LinkedIn isn't set up. */
  readonly linkedIn?: { readonly connections: LinkedInConnections };
  /** Takes the live connections of pages. */
  readonly live: UpgradeHandler;
  /** Claude Code sessions; absent if that engine is switched off. */
  readonly claudeCode?: ClaudeCodeParts;
  /** How often an idle stream sends a ping. */
  readonly pingMs?: number;
  readonly clock?: Clock;
}

interface LoginParts {
  readonly store: LoginStore;
  readonly password: PasswordSource;
  /** A login expires after this many days without use. */
  readonly days: number;
}

export interface ClaudeCodeParts {
  readonly sessions: CodeSessions;
  readonly workFolders: WorkFolders;
  readonly activity: ActivityFeed;
  /** Handles the sockets of session pages. */
  readonly pages: UpgradeHandler;
  readonly mayUseTerminal: (person: PersonName) => boolean;
  /** Handles the sockets of terminals. */
  readonly terminals: UpgradeHandler;
}

export interface HttpLimits {
  /** Enforced while the body arrives, before parsing. */
  readonly bodyBytes: number;
  /** Characters of one message. */
  readonly messageLength: number;
  readonly requestsPerMinute: {
    /** Per client address; IPv6 counts by /64. */
    readonly perAddress: number;
    readonly overall: number;
  };
  /** How many requests may wait for turns at once, streaming or not. With several people, one person gets at most half. */
  readonly openStreams: number;
  /** A client that reads nothing for this long is disconnected. */
  readonly stalledMs: number;
}
