// Builds the HTTP door with its WebSockets from the configuration and the other parts.
import { join } from 'node:path';
import type { Recipes } from '@parley/recipe-vault';
import { createOpenId } from '../accounts/openid.ts';
import { createPasskeys } from '../accounts/passkeys.ts';
import type { Metrics } from '../basics/metrics.ts';
import type { Outgoing } from '../basics/outgoing.ts';
import type { Credentials } from '../config/credentials.ts';
import type { Config } from '../config/schema.ts';
import type { ActivityFeed } from '../domain/activity.ts';
import type { ChannelHealth } from '../domain/channel-health.ts';
import { systemClock } from '../domain/clock.ts';
import type { CodeSessions } from '../domain/code-sessions.ts';
import type { Gateway } from '../domain/gateway.ts';
import type { Logger } from '../domain/logger.ts';
import type { Machines } from '../domain/machines.ts';
import type { OpenId } from '../domain/openid.ts';
import type { Push } from '../domain/push.ts';
import type { Organizer } from '../domain/session-marks.ts';
import type { Budgets } from '../domain/spending.ts';
import type { Support } from '../domain/support.ts';
import type { Terminals } from '../domain/terminal.ts';
import type { TriesStore } from '../domain/tries.ts';
import type { SessionUsage, UsageBook } from '../domain/usage-book.ts';
import { createHttpDoor, type HttpDoor } from '../doors/http/door.ts';
import type { ClaudeCodeParts } from '../doors/http/door-options.ts';
import { anyOf, apiKeyVerifier } from '../doors/http/policy/credentials.ts';
import type { SettingsParts } from '../doors/http/settings/routes.ts';
import { liveSockets } from '../doors/websocket/live-socket.ts';
import type { Presence } from '../doors/websocket/presence.ts';
import { sessionSockets } from '../doors/websocket/session-socket.ts';
import { terminalSockets } from '../doors/websocket/terminal-socket.ts';
import { createFilePlaces } from '../folders/file-places.ts';
import { createPlaceFiles } from '../folders/place-files.ts';
import { createRecipeShelf } from '../stores/recipes/recipe-shelf.ts';
import type { SqlStore } from '../stores/sql/store.ts';
import { createGuardedFetch } from '../tools/web/guarded-fetch.ts';
import { hostAndPort } from '../tools/web/web-address.ts';
import { version } from '../version.ts';
import type { ClaudeCode } from './claude-code.ts';
import type { Cluster } from './cluster.ts';
import type { PeopleParts } from './people.ts';
import { sharedKey } from './shared-key.ts';
import type { Tools } from './tools.ts';

export interface HttpDoorSetup {
  readonly config: Config;
  /** The configuration after all changes in the app. */
  readonly current: () => Config;
  readonly credentials: Credentials;
  /** The folder of the built web app. */
  readonly webAppFolder: string;
  readonly settings: SettingsParts | undefined;
  readonly support: Support | undefined;
  readonly gateway: Gateway;
  readonly people: PeopleParts;
  readonly store: SqlStore;
  /** Has everything that survives a restart even if sessions don't. */
  readonly durable: SqlStore;
  readonly budgets: Budgets;
  readonly tools: Tools;
  readonly recipes: Recipes;
  readonly claudeCode: ClaudeCode;
  readonly sessions: CodeSessions;
  /** Absent if there is only one server. */
  readonly machines: Machines | undefined;
  readonly terminals: Terminals;
  readonly organizer: Organizer;
  readonly activity: ActivityFeed;
  readonly presence: Presence;
  readonly push: Push;
  readonly channelHealth: ChannelHealth;
  readonly metrics: Metrics;
  /** Where servers that share a database count wrong passwords. */
  readonly tries: TriesStore | undefined;
  /** Absent if there is only one server. */
  readonly cluster: Pick<Cluster, 'servers' | 'isReady' | 'health'> | undefined;
  readonly outgoing: Outgoing;
  readonly logger: Logger;
}

/** A client that reads nothing for this long is disconnected. It can resume by `seq`. */
const stalledMs = 30_000;
const writer = { bufferedBytes: 512 * 1024, stalledMs, pingMs: 30_000 };
/** How many transcript lines a new page gets; it requests older ones on demand. */
const cachedMessages = 100;

export function openHttpDoor(setup: HttpDoorSetup): Promise<HttpDoor> {
  const { config, current, credentials, gateway, people, store, durable, tools, logger } = setup;
  const { limits } = config;
  const places = createFilePlaces({
    gateway,
    sessions: setup.sessions,
    access: people.access,
    folders: setup.claudeCode.workFolders,
    hidden: setup.claudeCode.hidden,
    vault: (person) => join(config.vaultRoot, person),
  });
  return createHttpDoor({
    ...people,
    gateway,
    organizer: setup.organizer,
    auditEntries: durable.audit,
    shareLinks: store.shareLinks,
    allowsShareLinks: () => current().shareLinks,
    passkeys: createPasskeys({
      store: durable.accounts,
      clock: systemClock,
      key: sharedKey(config, 'passkeys'),
    }),
    openId: openIdOf(config, setup.outgoing),
    credentials: anyOf(apiKeyVerifier(credentials.apiKeys), (presented) => people.keys.check(presented)),
    login: {
      store: durable.logins,
      tries: setup.tries,
      password: credentials.familyPassword,
      days: config.loginDays,
    },
    host: config.host,
    port: config.port,
    allowedHosts: config.publicHosts,
    basePath: config.basePath,
    webAppFolder: setup.webAppFolder,
    trustedProxies: config.trustedProxies,
    limits: {
      bodyBytes: limits.bodyBytes,
      messageLength: limits.messageChars,
      openStreams: limits.openStreams,
      waitingBytes: { each: limits.waitingBytes, all: limits.totalWaitingBytes },
      requestsPerMinute: { perAddress: limits.requestsPerMinute, overall: limits.totalRequestsPerMinute },
      stalledMs,
    },
    metrics: setup.metrics,
    servers: setup.cluster?.servers,
    isReady: setup.cluster?.isReady,
    machines: setup.machines,
    clusterHealth: setup.cluster?.health,
    logger,
    version,
    demo: config.demo,
    firstSteps: () => current().firstSteps ?? current().file === undefined,
    notes: { engine: 'messages-api', assistant: 'notes' },
    chat: { engine: 'messages-api', assistant: 'kitchen' },
    models: () => [...new Set([current().model, ...current().models])],
    assistants: () =>
      [...tools.assistants.values()].map(({ name, label }) => ({ name, label, engine: 'messages-api' })),
    usage: withTitles(durable.usage, store),
    budgets: setup.budgets,
    storage: { limit: limits.storageBytes, used: (person) => store.storedBytes(person) },
    recipes: createRecipeShelf(setup.recipes),
    toolHealth: tools.health,
    channelHealth: setup.channelHealth,
    linkedIn: tools.linkedIn,
    settings: setup.settings,
    support: setup.support,
    push: setup.push,
    activity: setup.activity,
    live: liveSockets({ ...setup, access: people.access, codeSessions: setup.sessions, writer }),
    files: { files: createPlaceFiles(), places },
    changes: setup.claudeCode.changesIn(places),
    claudeCode: claudeCodeParts(setup),
  });
}

function claudeCodeParts(setup: HttpDoorSetup): ClaudeCodeParts {
  const { config, gateway, sessions, terminals, logger } = setup;
  const { workFolders, folderTrust } = setup.claudeCode;
  return {
    sessions,
    workFolders,
    folderTrust,
    pages: sessionSockets({
      gateway,
      sessions,
      demo: config.demo,
      promptLength: config.limits.messageChars,
      cachedMessages,
      writer,
      logger,
    }),
    mayUseTerminal: (person) => terminals.allows(person),
    terminals: terminalSockets({ sessions, terminals, writer }),
    endTerminal: (person, id) => terminals.end(person, id),
  };
}

function openIdOf(config: Config, outgoing: Outgoing): OpenId | undefined {
  const { issuer, clientId, clientSecret, name } = config.openid;
  if (issuer === undefined || clientId === undefined) return undefined;
  return createOpenId({
    name: name ?? new URL(issuer).hostname,
    issuer,
    clientId,
    ...(clientSecret && { clientSecret: clientSecret.reveal() }),
    key: sharedKey(config, 'openid'),
    // The configuration names the issuer, so it may be on a private network.
    http: createGuardedFetch({ exceptions: [hostAndPort(new URL(issuer))], outgoing }),
  });
}

/** The book outlasts sessions that are in memory only, and so doesn't know their titles. */
function withTitles(book: UsageBook, store: Pick<SqlStore, 'getSession'>): UsageBook {
  const titled = async (one: SessionUsage) =>
    one.title === '' ? { ...one, title: (await store.getSession(one.sessionId))?.title ?? '' } : one;
  return {
    ...book,
    bySession: async (...args) => Promise.all((await book.bySession(...args)).map(titled)),
  };
}
