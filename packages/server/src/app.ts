// The composition root: builds the parts of Parley from its configuration, starts them, and closes them in reverse order.
// Tests boot it unchanged.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openRecipes } from '@parley/recipe-vault';
import type { FastifyBaseLogger } from 'fastify';
import { Registry } from 'prom-client';
import { prepareBots } from './app/bots.ts';
import { prepareClaudeCode } from './app/claude-code.ts';
import { openCodeDoors } from './app/code-doors.ts';
import { openOutsideTools } from './app/outside-tools.ts';
import { openLinkedIn, openWeb } from './app/web-tools.ts';
import { builtInAssistants } from './assistants/built-in.ts';
import type { Credentials } from './config/credentials.ts';
import { readEnvironment } from './config/environment.ts';
import { databaseFile, makePrivateFolder, recipesFile } from './config/files.ts';
import type { Config } from './config/schema.ts';
import type { RunningDemo } from './demo/demo.ts';
import type { DemoChannels } from './demo/demo-channels.ts';
import type { Assistant } from './domain/assistant.ts';
import { systemClock } from './domain/clock.ts';
import type { Logger } from './domain/logger.ts';
import type { TurnObserver } from './domain/turn-observer.ts';
import type { UsageBook } from './domain/usage-book.ts';
import { createHttpDoor, type DoorRoute } from './doors/http/door.ts';
import { metricsObserver } from './doors/http/operations/metrics.ts';
import { apiKeyVerifier } from './doors/http/policy/credentials.ts';
import { createMessagesApiEngine } from './engines/messages-api/engine.ts';
import { createActivityLog } from './gateway/activity-log.ts';
import { createGateway } from './gateway/gateway.ts';
import { watchTitles } from './gateway/watch-titles.ts';
import { turnLines } from './logging/turn-lines.ts';
import { createRecipeShelf } from './stores/recipes/recipe-shelf.ts';
import { lockFolder } from './stores/sqlite/folder-lock.ts';
import { openSqliteStore } from './stores/sqlite/store.ts';
import { createVaultTools } from './tools/vault/source.ts';
import { version } from './version.ts';

export interface AppOptions {
  readonly config: Config;
  readonly credentials: Credentials;
  readonly logger: FastifyBaseLogger;
  /** Opens a page that plays Telegram and Discord. In demo mode only. */
  readonly demoChannels?: boolean;
}

export interface App {
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

export async function startApp({ config, credentials, logger, ...options }: AppOptions): Promise<App> {
  const { limits } = config;
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
    opened(await lockFolder(config.dataDir));
    const demo = config.demo ? opened(await loadDemo(config)) : undefined;
    const vault = opened(createVaultTools({ root: (person) => join(config.vaultRoot, person) }));
    const web = opened(openWeb({ config, demo, logger }));
    const linkedIn = opened(openLinkedIn({ config, demo, logger }));
    const ownSources = [vault, web, linkedIn];
    const store = opened(
      await openSqliteStore({
        file: config.sessions.persist ? databaseFile(config) : ':memory:',
      }),
    );
    const recipes = opened(await openRecipes({ file: recipesFile(config) }));
    const assistants = assistantsOf(config);
    const outside = opened(
      await openOutsideTools({
        config,
        recipes,
        recipesFile: recipesFile(config),
        assistants: [...assistants.values()],
        ownSources,
        environment: readEnvironment(),
        logger,
      }),
    );
    const engine = opened(
      createMessagesApiEngine({
        ...anthropic(config, demo),
        model: config.model,
        assistants,
        toolSources: new Map([...ownSources, ...outside.sources].map((source) => [source.name, source])),
        limits: {
          maxToolIterations: limits.maxToolIterations,
          toolResultBytes: limits.toolResultBytes,
          toolTimeoutMs: limits.toolSeconds * 1_000,
          contextTokens: limits.contextTokens,
          maxReplyTokens: limits.outputTokens,
        },
        maxTurns: limits.runningTurns,
        clock: systemClock,
        logger,
      }),
    );
    const claudeCode = await prepareClaudeCode({
      config,
      upstream: anthropic(config, demo),
      environment: readEnvironment(),
      logger,
    });
    opened(claudeCode.engine);
    const metrics = new Registry();
    const activity = createActivityLog({ clock: systemClock, watch: watchTitles(() => sessions) });
    const gateway = opened(
      createGateway({
        store,
        engines: [engine, claudeCode.engine],
        clock: systemClock,
        newId: randomUUID,
        logger,
        observer: all(turnLines(logger), metricsObserver(metrics), bookKeeper(store.usage, logger)),
        activity,
        limits: { queue: limits.queuedPrompts, keptEvents: limits.keptEvents, log: eventLog },
      }),
    );
    const { sessions, terminals } = claudeCode.openList({ gateway, store });
    opened(sessions);
    opened(terminals);
    const { workFolders } = claudeCode;
    const codeDoors = openCodeDoors({
      config,
      gateway,
      sessions,
      terminals,
      workFolders,
      activity,
      logger,
    });
    const door = opened(
      await createHttpDoor({
        gateway,
        people: config.people,
        credentials: apiKeyVerifier(credentials.apiKeys),
        login: { store: store.logins, password: credentials.familyPassword, days: config.loginDays },
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
          requestsPerMinute: { perAddress: limits.requestsPerMinute, overall: limits.totalRequestsPerMinute },
          stalledMs,
        },
        metrics,
        logger,
        version,
        demo: config.demo,
        notes: { engine: 'messages-api', assistant: 'notes' },
        chat: { engine: 'messages-api', assistant: 'kitchen' },
        models: [...new Set([config.model, ...config.models])],
        assistants: [...assistants.values()].map(({ name, label }) => ({ name, label, engine: engine.name })),
        usage: store.usage,
        recipes: createRecipeShelf(recipes),
        toolHealth: outside.health,
        channelHealth: { status: () => bots.status() },
        linkedIn,
        live: codeDoors.live,
        claudeCode: codeDoors,
      }),
    );
    const demoChannels =
      config.demo && options.demoChannels ? opened(await loadDemoChannels(config)) : undefined;
    const bots = opened(
      await prepareBots({
        config: demoChannels?.config ?? config,
        gateway,
        outbox: store.outbox,
        logger,
      }),
    );
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

/** Loaded on demand. */
async function loadDemo(config: Config): Promise<RunningDemo> {
  const { startDemo } = await import('./demo/demo.ts');
  return startDemo(config);
}

async function loadDemoChannels(config: Config): Promise<DemoChannels> {
  const { startDemoChannels } = await import('./demo/demo-channels.ts');
  return startDemoChannels(config);
}

function assistantsOf(config: Config): ReadonlyMap<string, Assistant> {
  const configured = config.assistants.map(({ reminder, ...assistant }) => ({
    ...assistant,
    ...(reminder && { reminder }),
  }));
  return new Map([...builtInAssistants, ...configured].map((assistant) => [assistant.name, assistant]));
}

function all(...observers: readonly TurnObserver[]): TurnObserver {
  return {
    turnEnded(record) {
      for (const observer of observers) observer.turnEnded(record);
    },
  };
}

/** Records every turn in the usage book. */
function bookKeeper(book: UsageBook, logger: Logger): TurnObserver {
  return {
    turnEnded({ person, sessionId, engine, door, model, usage }) {
      book
        .record({ at: systemClock.now(), person, sessionId, engine, door, model, usage })
        .catch((error: unknown) => logger.error({ err: error }, 'could not record the usage of a turn'));
    },
  };
}
