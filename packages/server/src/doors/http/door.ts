// The HTTP door: combines policy and routes, listens, and closes without losing running turns.
import { ByteBudget } from '../../basics/byte-budget.ts';
import { systemClock } from '../../domain/clock.ts';
import { ownAccount } from './account/own-account.ts';
import { createApp } from './app.ts';
import type { HttpDoorOptions } from './door-options.ts';
import { forwardToMachines } from './forwarding.ts';
import { createEnter } from './login/enter.ts';
import { FamilyPassword } from './login/family-password.ts';
import { GuessLimits } from './login/guess-limits.ts';
import { KnownBrowsers } from './login/known-browsers.ts';
import { Logins } from './login/logins.ts';
import { whoIsAsking } from './login/me.ts';
import { loginCheck } from './login/recognize.ts';
import { measureOpenStreams, measureProcess } from './operations/metrics.ts';
import { answerNoRoute, type DoorRoute } from './policy/no-route.ts';
import { mayActFor } from './policy/person.ts';
import { applyPolicy } from './policy/policy.ts';
import { addSecurityHeaders } from './policy/security-headers.ts';
import { limitWaitingBodies } from './policy/waiting-bodies.ts';
import { addRoutes } from './routes.ts';
import { OpenRequests } from './streams/open-requests.ts';
import { SilentConnections } from './streams/silent-connections.ts';
import { Upgrades } from './upgrades.ts';
import { openHelp, openWebApp } from './web-app/files.ts';
import { pageStyle } from './web-app/page-style.ts';

export type { DoorRoute };

export interface HttpDoor {
  /** Every route the router knows. */
  readonly routes: readonly DoorRoute[];
  /**
   * Binds the port, runs `prepare`, then starts answering; requests that arrive in between wait. Resolves with the
   * address, such as `http://127.0.0.1:4710`.
   */
  listen(prepare?: () => Promise<void>): Promise<string>;
  /** Closes what is open with logins that another server has ended. */
  noticeEndedLogins(): Promise<void>;
  /** Refuses new requests, ends open streams with a message, and resolves when all connections are closed. */
  close(): Promise<void>;
}

/** Promised to clients of the notes assistant. */
const pingEveryMs = 5_000;

export async function createHttpDoor(options: HttpDoorOptions): Promise<HttpDoor> {
  const {
    gateway,
    limits,
    metrics,
    people,
    keys,
    demo,
    version,
    basePath = '',
    pingMs = pingEveryMs,
  } = options;
  const login = createLogin(options, () => requests.review());
  const requests = new OpenRequests(
    {
      all: limits.openStreams,
      each: () => (people.list().length > 1 ? Math.ceil(limits.openStreams / 2) : limits.openStreams),
    },
    ({ caller, person, right }) =>
      mayActFor(caller, person, people) &&
      // A login of an account ends with it, even if the family password works for the person again.
      !(caller.login !== undefined && caller.person !== undefined && !people.hasAccount(person)) &&
      !(caller.login !== undefined && login.logins.hasEnded(caller.login)) &&
      !(caller.key !== undefined && !keys.isValid(caller.key)) &&
      (right === undefined || people.may(person, right)),
  );
  const stops = [people, keys].map((one) => one.onChange(() => requests.review()));
  const routes: DoorRoute[] = [];
  const app = createApp({
    logger: options.logger,
    bodyBytes: limits.bodyBytes,
    trustedProxies: options.trustedProxies,
    basePath,
  });

  app.addHook('onRoute', ({ method, url }) => {
    routes.push(...[method].flat().map((verb) => ({ method: verb, path: url })));
  });
  const silent = new SilentConnections(app.server);
  app.addHook('preClose', async () => {
    for (const stop of stops) stop();
    requests.close();
    silent.close();
    // A connection whose last answer ends only now would otherwise stay open for a minute.
    app.server.keepAliveTimeout = 1;
  });
  addSecurityHeaders(app);
  const webApp = openWebApp(options.webAppFolder);
  app.decorate('pageStyle', pageStyle(webApp?.font && `${basePath}/${webApp.font}`));
  let prepared: Promise<void> | undefined;
  app.addHook('onRequest', async () => prepared);
  await applyPolicy(app, {
    ...options,
    basePath,
    loginOf: loginCheck(login.logins, login.browsers),
    isKnownBrowser: async (request) => (await login.browsers.find(request)) !== undefined,
    isClosing: () => requests.isClosing,
  });
  const waiting = new ByteBudget(limits.waitingBytes);
  limitWaitingBodies(app, waiting, people);
  measureProcess(metrics, options);
  measureOpenStreams(metrics, () => requests.count());
  /** For routes that send prompts. */
  const turns = {
    gateway,
    requests,
    messageLength: limits.messageLength,
    bodyBytes: limits.bodyBytes,
    stream: { pingMs, stalledMs: limits.stalledMs },
  };
  /** For routes that log somebody in. */
  const entrance = {
    ...login,
    people,
    accounts: options.accounts,
    audit: options.audit,
    enter: createEnter({ ...login, audit: options.audit }),
    demo,
    basePath,
    openId: options.openId,
    whoIsAsking: whoIsAsking({
      people,
      demo,
      version,
      firstSteps: options.firstSteps,
      mayUseTerminal: options.claudeCode?.mayUseTerminal,
    }),
  };
  const upgrades = new Upgrades(app, waiting);
  const { machines } = options;
  if (machines) forwardToMachines(app, { machines, upgrades, requests });
  addRoutes(app, {
    metrics,
    clusterHealth: options.clusterHealth,
    isReady: () => !requests.isClosing && (options.isReady?.() ?? true),
    live: { upgrades, requests, handler: options.live },
    docs: { demo, describe },
    webApp: { app: webApp, help: openHelp(options.webAppFolder), basePath, demo, version },
    login: entrance,
    account: {
      ...entrance,
      passkeys: options.passkeys,
      assistants: options.assistants,
      ownAccount: ownAccount(options),
    },
    household: options,
    audit: { entries: options.auditEntries, requests, stream: turns.stream },
    keys: options,
    usage: { ...options, clock: options.clock ?? systemClock },
    linkedIn: options.linkedIn && { ...options.linkedIn, basePath },
    settings: options.settings && { ...options.settings, people, audit: options.audit, requests },
    support: options.support,
    sessions: {
      ...turns,
      access: options.access,
      shares: options.shares,
      links: options.shareLinks,
      allowsLinks: options.allowsShareLinks,
      basePath,
      organizer: options.organizer,
      people,
      audit: options.audit,
      assistants: options.assistants,
      models: options.models,
      codeSessions: options.claudeCode?.sessions,
      clock: options.clock ?? systemClock,
    },
    notifications: { activity: options.activity, requests, stream: turns.stream },
    push: options,
    files: { ...options.files, requests },
    changes: { changes: options.changes, requests },
    notes: { ...turns, newSession: options.notes },
    kitchen: { ...turns, newSession: options.chat },
    claudeCode: options.claudeCode && {
      ...options.claudeCode,
      organizer: options.organizer,
      audit: options.audit,
      requests,
      upgrades,
      machines,
    },
  });
  app.setNotFoundHandler(answerNoRoute(routes, basePath));
  await app.ready();

  return {
    routes,
    async listen(prepare = async () => undefined) {
      const address = app.listen({ host: options.host, port: options.port });
      prepared = address.then(prepare);
      await prepared;
      return address;
    },
    noticeEndedLogins: () => login.logins.noticeEnded(),
    close: () => app.close(),
  };
}

function createLogin({ login, people, passwords, clock = systemClock }: HttpDoorOptions, onEnd: () => void) {
  const password = new FamilyPassword(login.password, passwords, () => login.store.passwordHashes());
  const logins = new Logins({ ...login, passwordHash: () => password.hash(), clock, people, onEnd });
  const browsers = new KnownBrowsers(login.store, clock);
  return { logins, password, browsers, guesses: new GuessLimits(clock, login.tries) };
}

/** Loaded on demand, because the rest of the server doesn't need its dependencies. */
async function describe(): Promise<object> {
  const { describeApi } = await import('./openapi/document.ts');
  return describeApi();
}
