// What the HTTP door needs from the composition root.
import type { AssistantEntry, PersonName, SessionId } from '@parley/protocol';
import type { ByteLimits } from '../../basics/byte-budget.ts';
import type { Metrics } from '../../basics/metrics.ts';
import type { Access } from '../../domain/access.ts';
import type { AccountActions } from '../../domain/account-actions.ts';
import type { ActivityFeed } from '../../domain/activity.ts';
import type { AuditLog, AuditStore } from '../../domain/audit-log.ts';
import type { Changes } from '../../domain/changes.ts';
import type { ChannelHealth } from '../../domain/channel-health.ts';
import type { Clock } from '../../domain/clock.ts';
import type { ClusterHealth } from '../../domain/cluster-health.ts';
import type { CodeSessions } from '../../domain/code-sessions.ts';
import type { FilePlaces, Files } from '../../domain/files.ts';
import type { FolderTrust } from '../../domain/folder-trust.ts';
import type { Gateway, NewSession } from '../../domain/gateway.ts';
import type { LinkedInConnections } from '../../domain/linkedin.ts';
import type { Logger } from '../../domain/logger.ts';
import type { LoginStore } from '../../domain/logins.ts';
import type { Machines } from '../../domain/machines.ts';
import type { OpenId } from '../../domain/openid.ts';
import type { Passkeys } from '../../domain/passkeys.ts';
import type { PasswordHashes } from '../../domain/password-hashes.ts';
import type { People } from '../../domain/people.ts';
import type { Push } from '../../domain/push.ts';
import type { RecipeShelf } from '../../domain/recipes.ts';
import type { Organizer } from '../../domain/session-marks.ts';
import type { ShareLinkStore } from '../../domain/share-links.ts';
import type { Shares } from '../../domain/shares.ts';
import type { Budgets } from '../../domain/spending.ts';
import type { Support } from '../../domain/support.ts';
import type { ToolHealth } from '../../domain/tool-health.ts';
import type { TriesStore } from '../../domain/tries.ts';
import type { UsageBook } from '../../domain/usage-book.ts';
import type { WorkFolders } from '../../domain/work-folders.ts';
import type { SocketHandler } from '../socket-request.ts';
import type { PersonalStorage } from './household/budgets.ts';
import type { PasswordSource } from './login/family-password.ts';
import type { CredentialCheck, ServerCheck } from './policy/credentials.ts';
import type { RunTimeKeys } from './policy/run-time-keys.ts';
import type { SettingsParts } from './settings/routes.ts';

export interface HttpDoorOptions {
  readonly gateway: Gateway;
  readonly people: People;
  /** Who may do what with which session. */
  readonly access: Access;
  readonly credentials: CredentialCheck;
  /** Recognizes other servers. Absent if there is only one. */
  readonly servers?: ServerCheck | undefined;
  /** API keys that people make while the server runs. */
  readonly keys: RunTimeKeys;
  readonly login: LoginParts;
  readonly audit: AuditLog;
  readonly accounts: AccountActions;
  readonly passwords: PasswordHashes;
  readonly passkeys: Passkeys;
  /** Absent if no identity provider is configured. */
  readonly openId: OpenId | undefined;
  readonly auditEntries: Pick<AuditStore, 'search'>;
  readonly shares: Shares;
  readonly shareLinks: ShareLinkStore;
  /** Whether links may show sessions to people without a login. */
  readonly allowsShareLinks: () => boolean;
  /** Pins, tags and archives sessions. Without it, there are no routes for that. */
  readonly organizer?: Organizer | undefined;
  readonly host: string;
  /** 0 means any free port. */
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
  readonly metrics: Metrics;
  /** Whether this server accepts work. It always does if absent. */
  readonly isReady?: (() => boolean) | undefined;
  readonly logger: Logger;
  readonly version: string;
  readonly demo: boolean;
  /** Whether those who may change settings see the first steps. Never if absent. */
  readonly firstSteps?: () => boolean;
  /** What the notes endpoints create as a new session. */
  readonly notes: NewSession;
  /** What the chat endpoints create as a new conversation. */
  readonly chat: NewSession;
  readonly assistants: () => readonly AssistantEntry[];
  /** The models a person can choose from; the first is the default. */
  readonly models: () => readonly string[];
  /** Tokens and cost of turns. */
  readonly usage: UsageBook;
  readonly budgets: Budgets;
  readonly storage: PersonalStorage;
  readonly recipes: RecipeShelf;
  readonly toolHealth: ToolHealth;
  readonly channelHealth: ChannelHealth;
  /** Absent if LinkedIn isn't set up. */
  readonly linkedIn?: { readonly connections: LinkedInConnections };
  /** Absent if settings can't be changed in the app. */
  readonly settings?: SettingsParts | undefined;
  /** Absent if nobody may look at the log. */
  readonly support?: Support | undefined;
  /** Notifications to devices. */
  readonly push: Push;
  readonly activity: ActivityFeed;
  /** Handles the live connections of pages. */
  readonly live: SocketHandler;
  /** Files in working directories and notes. */
  readonly files: { readonly files: Files; readonly places: FilePlaces };
  /** What sessions changed in their working directories. */
  readonly changes: Changes;
  /** Claude Code sessions; absent if that engine is switched off. */
  readonly claudeCode?: ClaudeCodeParts;
  /** Finds what is on other machines. Absent if there is only one server. */
  readonly machines?: Machines | undefined;
  /** What this server sees of the others. Absent if there is only one. */
  readonly clusterHealth?: ClusterHealth | undefined;
  /** How often an idle stream sends a ping. */
  readonly pingMs?: number;
  readonly clock?: Clock;
}

interface LoginParts {
  readonly store: LoginStore;
  /** Where wrong passwords are counted; in memory if absent. */
  readonly tries?: TriesStore | undefined;
  readonly password: PasswordSource;
  /** A login expires after this many days without use. */
  readonly days: number;
}

export interface ClaudeCodeParts {
  readonly sessions: CodeSessions;
  readonly workFolders: WorkFolders;
  readonly folderTrust: FolderTrust;
  /** Handles the sockets of session pages. */
  readonly pages: SocketHandler;
  readonly mayUseTerminal: (person: PersonName) => boolean;
  /** Handles the sockets of terminals. */
  readonly terminals: SocketHandler;
  /** Closes a session's terminal; false when none is open. */
  readonly endTerminal: (person: PersonName, id: SessionId) => Promise<boolean>;
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
  /** How many bytes of bodies and of WebSocket messages may wait in memory, for each person and for all together. */
  readonly waitingBytes: ByteLimits;
  /** A client that reads nothing for this long is disconnected. */
  readonly stalledMs: number;
}
