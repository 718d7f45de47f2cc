// The composition root: builds the parts of Parley from its configuration, starts them, and closes them in reverse order.
// Tests boot it unchanged.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { noUsage } from '@parley/protocol';
import { openRecipes } from '@parley/recipe-vault';
import type { FastifyBaseLogger } from 'fastify';
import { Registry } from 'prom-client';
import { createAccounts } from './accounts/accounts.ts';
import { createPasskeys } from './accounts/passkeys.ts';
import { createPasswordHashes } from './accounts/password-hashes.ts';
import { createStrengthCheck } from './accounts/password-strength.ts';
import { aboutServer } from './app/about.ts';
import { prepareBots } from './app/bots.ts';
import { prepareClaudeCode } from './app/claude-code.ts';
import { openCodeDoors } from './app/code-doors.ts';
import { openOpenId } from './app/openid.ts';
import { watchOutsideChanges } from './app/outside-changes.ts';
import { openOutsideTools } from './app/outside-tools.ts';
import { createAppSettings } from './app/settings.ts';
import { openLinkedIn, openWeb } from './app/web-tools.ts';
import { assistantsOf } from './assistants/built-in.ts';
import { createOutgoing } from './basics/outgoing.ts';
import type { Credentials } from './config/credentials.ts';
import { readEnvironment } from './config/environment.ts';
import { databaseFile, makePrivateFolder, recipesFile } from './config/files.ts';
import type { LiveConfig } from './config/live-config.ts';
import type { Config } from './config/schema.ts';
import { proxySettings } from './config/sections/proxy.ts';
import type { RunningDemo } from './demo/demo.ts';
import type { DemoChannels } from './demo/demo-channels.ts';
import { createAccess } from './domain/access.ts';
import { createAuditLog } from './domain/audit-log.ts';
import { systemClock } from './domain/clock.ts';
import type { Logger } from './domain/logger.ts';
import { createPeople } from './domain/people.ts';
import { createShares } from './domain/shares.ts';
import type { TurnObserver } from './domain/turn-observer.ts';
import type { UsageBook, UsageEntry } from './domain/usage-book.ts';
import { createHttpDoor, type DoorRoute } from './doors/http/door.ts';
import { metricsObserver } from './doors/http/operations/metrics.ts';
import { anyOf, apiKeyVerifier } from './doors/http/policy/credentials.ts';
import { RunTimeKeys } from './doors/http/policy/run-time-keys.ts';
import { createMessagesApiEngine } from './engines/messages-api/engine.ts';
import type { MessagesApiLimits } from './engines/messages-api/limits.ts';
import { createActivityLog } from './gateway/activity-log.ts';
import { createGateway } from './gateway/gateway.ts';
import { openSpending } from './gateway/spending.ts';
import { watchTitles } from './gateway/watch-titles.ts';
import { turnLines } from './logging/turn-lines.ts';
import { createRecipeShelf } from './stores/recipes/recipe-shelf.ts';
import { lockFolder } from './stores/sqlite/folder-lock.ts';
import { openSqliteStore } from './stores/sqlite/store.ts';
import { createVaultTools } from './tools/vault/source.ts';
import { version } from './version.ts';

export interface AppOptions {
  readonly config: Config;
  /** The same configuration, if people may change it in the app. */
  readonly live?: LiveConfig;
  readonly credentials: Credentials;
  readonly logger: FastifyBaseLogger;
  /** Opens a page that plays Telegram and Discord. In demo mode only. */
  readonly demoChannels?: boolean;
}

export interface RunningApp {
  readonly url: string;
  /** The page that plays Telegram and Discord, if there is one. */
  readonly demoChannelsUrl: string | undefined;
  readonly routes: readonly DoorRoute[];
  close(): Promise<void>;
}

/** How many events are kept in memory for slow readers; older ones come from the store. */
const eventLog = { events: 4_096, bytes: 4 * 1024 * 1024 };
/** A reader that reads nothing for this long is disconnected; it resumes by number. */
const stalledMs = 30_000;

export async function startApp({ config, credentials, logger, ...options }: AppOptions): Promise<RunningApp> {
  const { limits } = config;
  const current = () => options.live?.current ?? config;
  const waitingBytes = { each: limits.waitingBytes, all: limits.totalWaitingBytes };
  const closers: (() => Promise<void>)[] = [];
  const opened = <T extends { close(): Promise<void> }>(part: T): T => {
    closers.unshift(() => part.close());
    return part;
  };
  const close = async () => {
    for (const closer of closers.splice(0)) await closer();
  };

  try {
    await makePrivateFolder(config.dataDir);
    const environment = readEnvironment();
    opened(await lockFolder(config.dataDir));
    const demo = config.demo ? opened(await loadDemo(config)) : undefined;
    const outgoing = createOutgoing(proxySettings(config.proxy));
    const vault = opened(createVaultTools({ root: (person) => join(config.vaultRoot, person) }));
    const web = opened(openWeb({ config, demo, outgoing, logger }));
    const linkedIn = opened(openLinkedIn({ config, demo, outgoing, logger }));
    const ownSources = [vault, web, linkedIn];
    const store = opened(
      await openSqliteStore({
        file: config.sessions.persist ? databaseFile(config) : ':memory:',
      }),
    );
    // Who may do what outlasts a restart in any case.
    const kept = config.sessions.persist
      ? store
      : opened(await openSqliteStore({ file: databaseFile(config) }));
    const audit = createAuditLog({ store: kept.audit, clock: systemClock, logger });
    const people = createPeople(config.people);
    const keys = opened(new RunTimeKeys({ store: kept.apiKeys, people, clock: systemClock, logger }));
    const shares = createShares(store.shares, systemClock);
    await shares.load();
    const access = createAccess(people, shares);
    const reload = async () => {
      // First, because an account may have taken its keys with it.
      await keys.load();
      people.update({ accounts: await kept.accounts.list() });
    };
    await reload();
    opened(watchOutsideChanges({ store: kept, reload, logger }));
    const passwords = createPasswordHashes();
    const accounts = createAccounts({
      store: kept.accounts,
      people,
      reload,
      passwords,
      checkStrength: createStrengthCheck(),
      audit,
      clock: systemClock,
      newId: randomUUID,
    });
    const spending = await openSpending({
      rules: kept.budgets,
      spent: store.budgets,
      book: store.usage,
      fileRules: config.budgets,
      clock: systemClock,
      logger,
    });
    const recipes = opened(await openRecipes({ file: recipesFile(config) }));
    let assistants = assistantsOf(config.assistants);
    const outside = opened(
      await openOutsideTools({
        config,
        recipes,
        recipesFile: recipesFile(config),
        assistants: [...assistants.values()],
        ownSources,
        environment,
        outgoing,
        logger,
      }),
    );
    const engine = opened(
      createMessagesApiEngine({
        ...anthropic(config, demo),
        get model() {
          return current().model;
        },
        get assistants() {
          return assistants;
        },
        get toolSources() {
          return new Map([...ownSources, ...outside.sources].map((source) => [source.name, source]));
        },
        get limits() {
          return turnLimits(current());
        },
        get caution() {
          return current().caution;
        },
        maxTurns: limits.runningTurns,
        isShared: () => people.list().length > 1,
        spending,
        outgoing,
        clock: systemClock,
        logger,
      }),
    );
    const claudeCode = await prepareClaudeCode({
      config,
      upstream: anthropic(config, demo),
      environment,
      outgoing,
      store,
      spending,
      isShared: () => people.list().length > 1,
      logger,
    });
    opened(claudeCode.engine);
    const metrics = new Registry();
    const record = recordIn(store.usage, logger);
    const activity = createActivityLog({ clock: systemClock, access, watch: watchTitles(() => sessions) });
    const gateway = opened(
      createGateway({
        store,
        engines: [engine, claudeCode.engine],
        clock: systemClock,
        newId: randomUUID,
        logger,
        observer: all(turnLines(logger), metricsObserver(metrics), bookKeeper(record)),
        activity,
        access,
        audit,
        limits: {
          queue: limits.queuedPrompts,
          promptBytes: waitingBytes,
          keptEvents: limits.keptEvents,
          storageBytes: limits.storageBytes,
          log: eventLog,
        },
      }),
    );
    const { sessions, terminals } = claudeCode.openList({
      gateway,
      access,
      store,
      onTerminalUsage: ({ person, id, engine: name }, model) =>
        record({ person, sessionId: id, engine: name, door: 'terminal', model, usage: noUsage }),
    });
    opened(sessions);
    opened(terminals);
    const { workFolders, folderTrust } = claudeCode;
    const codeDoors = openCodeDoors({
      config,
      gateway,
      sessions,
      terminals,
      workFolders,
      folderTrust,
      activity,
      logger,
    });
    const door = opened(
      await createHttpDoor({
        gateway,
        people,
        audit,
        accounts,
        passwords,
        passkeys: createPasskeys({ store: kept.accounts, clock: systemClock }),
        openId: openOpenId(config, outgoing),
        access,
        shares,
        keys,
        auditEntries: kept.audit,
        credentials: anyOf(apiKeyVerifier(credentials.apiKeys), (presented) => keys.check(presented)),
        login: { store: kept.logins, password: credentials.familyPassword, days: config.loginDays },
        host: config.host,
        port: config.port,
        allowedHosts: config.publicHosts,
        basePath: config.basePath,
        webAppFolder: fileURLToPath(new URL('../../web/dist', import.meta.url)),
        trustedProxies: config.trustedProxies,
        limits: {
          bodyBytes: limits.bodyBytes,
          messageLength: limits.messageChars,
          openStreams: limits.openStreams,
          waitingBytes,
          requestsPerMinute: { perAddress: limits.requestsPerMinute, overall: limits.totalRequestsPerMinute },
          stalledMs,
        },
        metrics,
        logger,
        version,
        demo: config.demo,
        notes: { engine: 'messages-api', assistant: 'notes' },
        chat: { engine: 'messages-api', assistant: 'kitchen' },
        models: () => [...new Set([current().model, ...current().models])],
        assistants: () =>
          [...assistants.values()].map(({ name, label }) => ({ name, label, engine: engine.name })),
        usage: store.usage,
        budgets: spending,
        storage: { limit: limits.storageBytes, used: (person) => store.storedBytes(person) },
        recipes: createRecipeShelf(recipes),
        toolHealth: outside.health,
        channelHealth: { status: () => bots.status() },
        linkedIn,
        settings: options.live && {
          settings: createAppSettings({ live: options.live, environment, outgoing }),
          about: aboutServer(options.live),
          mayChange: (person) => people.may(person, 'settings'),
          audit,
        },
        live: codeDoors.live,
        claudeCode: codeDoors,
      }),
    );
    const demoChannels =
      config.demo && options.demoChannels ? opened(await loadDemoChannels(config)) : undefined;
    const withDemoBots = (changed: Config) => demoChannels?.withBots(changed) ?? changed;
    const bots = opened(
      await prepareBots({
        config: withDemoBots(config),
        gateway,
        codeSessions: sessions,
        outgoing,
        outbox: store.outbox,
        logger,
      }),
    );
    options.live?.onChange(async (changed) => {
      assistants = assistantsOf(changed.assistants);
      outside.apply(changed, [...assistants.values()]);
      web.apply(changed);
      linkedIn.apply(changed);
      claudeCode.apply(changed);
      await bots.apply(withDemoBots(changed));
    });
    // Only after we have the port: a failed start must leave waiting prompts to the next one.
    const url = await door.listen(() => gateway.recover());
    await bots.open();
    logger.info({ url, demo: config.demo, version }, 'ready');
    return { url, demoChannelsUrl: demoChannels?.url, routes: door.routes, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The Anthropic API, or the demo model in demo mode. */
function anthropic(
  config: Config,
  demo: RunningDemo | undefined,
): { apiKey: string | undefined; baseUrl: string } {
  if (demo !== undefined) return { apiKey: demo.apiKey, baseUrl: demo.url };
  return { apiKey: config.anthropic.apiKey?.reveal(), baseUrl: config.anthropic.baseUrl };
}

function turnLimits({ limits }: Config): Partial<MessagesApiLimits> {
  return {
    maxToolIterations: limits.maxToolIterations,
    toolResultBytes: limits.toolResultBytes,
    toolTimeoutMs: limits.toolSeconds * 1_000,
    contextTokens: limits.contextTokens,
    maxReplyTokens: limits.outputTokens,
  };
}

/** Loaded on demand. */
async function loadDemo(config: Config): Promise<RunningDemo> {
  const { startDemo } = await import('./demo/demo.ts');
  return startDemo(config);
}

async function loadDemoChannels(config: Config): Promise<DemoChannels> {
  const { startDemoChannels } = await import('./demo/demo-channels.ts');
  return startDemoChannels(config);
}

function all(...observers: readonly TurnObserver[]): TurnObserver {
  return {
    turnEnded(record) {
      for (const observer of observers) observer.turnEnded(record);
    },
  };
}

type RecordUsage = (entry: Omit<UsageEntry, 'at'>) => void;

function recordIn(book: UsageBook, logger: Logger): RecordUsage {
  return (entry) => {
    book
      .record({ at: systemClock.now(), ...entry })
      .catch((error: unknown) => logger.error({ err: error }, 'could not record the usage of a turn'));
  };
}

/** Counts turns in the usage book. What they use is booked with each request. */
function bookKeeper(record: RecordUsage): TurnObserver {
  return {
    turnEnded({ person, sessionId, engine, door, model }) {
      record({ person, sessionId, engine, door, model, usage: noUsage });
    },
  };
}
