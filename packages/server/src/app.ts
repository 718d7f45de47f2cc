// The composition root: builds the parts of Parley from its configuration, starts them, and closes them in reverse order.
// Tests boot it unchanged. How each part is built is in `app/`.
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { openRecipes } from '@parley/recipe-vault';
import type { FastifyBaseLogger } from 'fastify';
import { aboutServer } from './app/about.ts';
import { type Bots, prepareBots } from './app/bots.ts';
import { prepareClaudeCode } from './app/claude-code.ts';
import { botsOnOneServer } from './app/cluster-bots.ts';
import { openGateway } from './app/gateway.ts';
import { openHttpDoor } from './app/http-door.ts';
import { loadCluster, loadDemo, loadDemoChannels } from './app/load-on-demand.ts';
import { openMessagesApi } from './app/messages-api.ts';
import { openPeople } from './app/people.ts';
import { openNotifications } from './app/push.ts';
import { createAppSettings } from './app/settings.ts';
import { openStores } from './app/stores.ts';
import { openSupport } from './app/support.ts';
import { openTools } from './app/tools.ts';
import { turnCounter, turnObserver } from './app/turn-observers.ts';
import { Metrics } from './basics/metrics.ts';
import { openedParts } from './basics/opened-parts.ts';
import { createOutgoing } from './basics/outgoing.ts';
import type { Credentials } from './config/credentials.ts';
import { readEnvironment } from './config/environment.ts';
import { makePrivateFolder, recipesFile } from './config/files.ts';
import type { LiveConfig } from './config/live-config.ts';
import type { Config } from './config/schema.ts';
import { proxySettings } from './config/sections/proxy.ts';
import type { RunningDemo } from './demo/demo.ts';
import { systemClock } from './domain/clock.ts';
import type { LogControl } from './domain/support.ts';
import type { DoorRoute } from './doors/http/door.ts';
import { Presence } from './doors/websocket/presence.ts';
import { createActivityLog } from './gateway/activity-log.ts';
import { createOrganizer } from './gateway/organizer.ts';
import { openSpending } from './gateway/spending.ts';
import { watchTitles } from './gateway/watch-titles.ts';
import { lockFolder } from './stores/sqlite/folder-lock.ts';
import { version } from './version.ts';

export interface AppOptions {
  readonly config: Config;
  /** The same configuration, if people may change it in the app. */
  readonly live?: LiveConfig;
  readonly credentials: Credentials | Promise<Credentials>;
  readonly logger: FastifyBaseLogger;
  /** The same log, if people may change its level and look at its newest lines. */
  readonly log?: LogControl;
  /** Restarts Parley with its stored settings. */
  readonly restart?: () => void;
  /** Opens a page that imitates Telegram and Discord. In demo mode only. */
  readonly demoChannels?: boolean;
}

export interface RunningApp {
  readonly url: string;
  /** The page that imitates Telegram and Discord, if there is one. */
  readonly demoChannelsUrl: string | undefined;
  readonly routes: readonly DoorRoute[];
  close(): Promise<void>;
}

/** Relative to the bundle, which is at the same depth as this file. `npm run pack` keeps the same folders. */
const webAppFolder = fileURLToPath(new URL('../../web/dist', import.meta.url));
const recipeVault = fileURLToPath(new URL('../../recipe-vault/dist/main.js', import.meta.url));

export async function startApp({
  config: given,
  live,
  credentials,
  logger,
  ...options
}: AppOptions): Promise<RunningApp> {
  const current = () => live?.current ?? given;
  const restart = options.restart ?? (() => undefined);
  const { opened, close } = openedParts();

  try {
    await makePrivateFolder(given.dataDir);
    opened(await lockFolder(given.dataDir));
    const environment = readEnvironment();
    const outgoing = createOutgoing(proxySettings(given.proxy));
    const demo = given.demo ? opened(await loadDemo(given)) : undefined;
    const upstream = anthropic(given, demo);

    const serverId = randomUUID();
    const stores = opened(await openStores(given, logger));
    if (stores.settings) await live?.share(stores.settings);
    const config = current();
    const { store, durable, chats, shared } = stores;
    const ownRecipes = stores.recipes ? undefined : recipesFile(config);
    const recipes = stores.recipes ?? opened(await openRecipes({ file: recipesFile(config) }));
    const spending = await openSpending({
      rules: durable.budgets,
      spent: durable.budgets,
      book: durable.usage,
      shared: stores.reservationsOf?.(serverId),
      fileRules: config.budgets,
      clock: systemClock,
      logger,
    });
    const people = opened(await openPeople({ configured: config.people, store, durable, logger }));
    const { access, audit, isShared } = people;
    people.onChangeElsewhere(() => spending.reload());
    people.onChangeElsewhere(() => live?.refresh());

    const tools = opened(
      await openTools({
        config,
        demo,
        recipes,
        recipesFile: ownRecipes,
        recipeVault,
        sealed: stores.sealed,
        environment,
        outgoing,
        logger,
      }),
    );
    const messagesApi = opened(
      openMessagesApi({ current, upstream, tools, isShared, spending, outgoing, logger }),
    );
    const claudeCode = prepareClaudeCode({
      config,
      upstream,
      environment,
      outgoing,
      store,
      spending,
      isShared,
      mayBypass: (person) => access.mayBypass(person),
      logger,
    });
    opened(claudeCode.engine);
    // Takes a tenth of the startup time. Without work folders, it waits until the server is ready.
    if (config.workRoots.length > 0) await claudeCode.findSandbox();

    const metrics = new Metrics();
    const cluster = shared && opened(await loadCluster(config, serverId, shared, metrics, logger));
    const countTurn = turnCounter(durable.usage, logger);
    const activity = createActivityLog({
      clock: systemClock,
      access,
      watch: watchTitles(() => sessions),
      relay: cluster?.relay,
    });
    const presence = new Presence(cluster?.pagesElsewhere);
    const push = opened(
      await openNotifications({
        config,
        store: durable.push,
        watching: presence,
        displayNameOf: (person) => people.people.displayNameOf(person),
        outgoing,
        logger,
      }),
    );
    const local = opened(
      openGateway({
        config,
        stores,
        ownership: cluster?.ownership,
        engines: [messagesApi, claudeCode.engine],
        observer: turnObserver(metrics, countTurn, logger),
        activity: [activity, push],
        access,
        audit,
        logger,
      }),
    );
    const gateway = cluster?.gatewayOver(local) ?? local;
    const { sessions, terminals } = claudeCode.openList({
      gateway,
      access,
      store,
      elsewhere: cluster?.elsewhere,
      onTerminalUsage: ({ person, id, engine }, model) =>
        countTurn({ person, sessionId: id, engine, door: 'terminal', model }),
    });
    opened(sessions);
    opened(terminals);
    const onAllMachines = cluster?.machinesOver({
      gateway: local,
      sessions,
      folders: claudeCode.workFolders,
      access,
      findSession: (id) => store.getSession(id),
    });
    const codeSessions = onAllMachines?.sessions ?? sessions;
    const organizer = opened(
      createOrganizer({
        store: store.marks,
        branches: store.branches,
        gateway,
        codeSessions,
        access,
        clock: systemClock,
        logger,
      }),
    );

    const about = live && aboutServer(live);
    const support =
      about &&
      options.log &&
      opened(
        await openSupport({
          live,
          log: options.log,
          about,
          people: () => people.people.list().length,
          metrics,
          audit,
          restart,
          logger,
        }),
      );
    const door = opened(
      await openHttpDoor({
        config,
        current,
        credentials: await credentials,
        webAppFolder,
        settings: about && {
          settings: createAppSettings({ live, environment, outgoing }),
          about,
          restart,
        },
        support,
        gateway,
        people,
        store,
        durable,
        budgets: spending,
        tools,
        recipes,
        claudeCode,
        sessions: codeSessions,
        machines: onAllMachines?.machines,
        terminals,
        organizer,
        activity,
        presence,
        push,
        channelHealth: { status: () => bots.status(), statusHere: () => bots.statusHere() },
        metrics,
        tries: stores.tries,
        cluster,
        outgoing,
        logger,
      }),
    );
    people.onChangeElsewhere(() => door.noticeEndedLogins());
    if (cluster) opened({ close: () => cluster.drain(local) });
    const demoChannels =
      config.demo && options.demoChannels ? opened(await loadDemoChannels(config)) : undefined;
    const withDemoBots = (changed: Config) => demoChannels?.withBots(changed) ?? changed;
    const makeBots = (botConfig: Config) =>
      prepareBots({
        config: botConfig,
        gateway,
        codeSessions,
        people: people.people,
        outgoing,
        outbox: store.outbox,
        chats,
        logger,
      });
    const bots: Bots = opened(
      cluster
        ? botsOnOneServer(cluster, withDemoBots(config), makeBots, logger)
        : await makeBots(withDemoBots(config)),
    );

    // Closed first, while everything still answers.
    if (cluster) opened({ close: () => cluster.announceStop() });

    live?.onChange(async (changed) => {
      tools.apply(changed);
      await claudeCode.findSandbox();
      claudeCode.apply(changed);
      await bots.apply(withDemoBots(changed));
    });
    // Recovers only once we have the port: a failed start must leave waiting prompts to the next one.
    const url = await door.listen(() => cluster?.join(local) ?? local.recover());
    await bots.open();
    logger.info({ url, demo: config.demo, version }, 'ready');
    claudeCode.findSandbox().catch((error: unknown) => logger.warn({ err: error }, 'no sandbox was found'));
    return { url, demoChannelsUrl: demoChannels?.url, routes: door.routes, close };
  } catch (error) {
    await close().catch((failure: unknown) => logger.warn({ err: failure }, 'could not close everything'));
    throw error;
  }
}

/** The Anthropic API, or the demo model in demo mode. */
function anthropic({ anthropic: { apiKey, baseUrl } }: Config, demo: RunningDemo | undefined) {
  return demo ? { apiKey: demo.apiKey, baseUrl: demo.url } : { apiKey: apiKey?.reveal(), baseUrl };
}
