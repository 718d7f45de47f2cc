// The HTTP door: combines policy and routes, listens, and closes without losing running turns.
import { systemClock } from '../../domain/clock.ts';
import { createApp } from './app.ts';
import { FamilyPassword } from './login/family-password.ts';
import { GuessLimits } from './login/guess-limits.ts';
import { Logins } from './login/logins.ts';
import { whoIsAsking } from './login/me.ts';
import { loginCheck } from './login/recognise.ts';
import { registerOpenStreams, registerProcessMetrics } from './operations/metrics.ts';
import type { HttpDoorOptions } from './options.ts';
import { answerNoRoute, type DoorRoute } from './policy/no-route.ts';
import { applyPolicy } from './policy/policy.ts';
import { addSecurityHeaders } from './policy/security-headers.ts';
import { addRoutes } from './routes.ts';
import { OpenRequests } from './streams/open-requests.ts';
import { SilentConnections } from './streams/silent-connections.ts';
import { Upgrades } from './upgrades.ts';
import { openWebApp } from './web-app/files.ts';

export type { DoorRoute };

export interface HttpDoor {
  /** Every route the router knows. */
  readonly routes: readonly DoorRoute[];
  /**
   * Binds the port, runs `prepare`, then starts answering; requests that arrive in between wait. Resolves with the
   * address, such as `http://127.0.0.1:4710`.
   */
  listen(prepare?: () => Promise<void>): Promise<string>;
  /** Refuses new requests, ends open streams with a message, and resolves when all connections are closed. */
  close(): Promise<void>;
}

/** The largest WebSocket message: a prompt with several full-size images. */
const maxMessageBytes = 32 * 1024 * 1024;
/** Promised to clients of the notes assistant. */
const pingEveryMs = 5_000;

export async function createHttpDoor(options: HttpDoorOptions): Promise<HttpDoor> {
  const { gateway, limits, metrics, people, demo, version, basePath = '', pingMs = pingEveryMs } = options;
  const login = createLogin(options);
  const each = people.length > 1 ? Math.ceil(limits.openStreams / 2) : limits.openStreams;
  const requests = new OpenRequests({ all: limits.openStreams, each }, (id, listener) =>
    login.logins.onEnd(id, listener),
  );
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
    requests.close();
    silent.close();
  });
  addSecurityHeaders(app);
  let prepared: Promise<void> | undefined;
  app.addHook('onRequest', async () => prepared);
  await applyPolicy(app, {
    ...options,
    basePath,
    loginOf: loginCheck(login.logins),
    isClosing: () => requests.isClosing,
  });
  registerProcessMetrics(metrics, options);
  registerOpenStreams(metrics, () => requests.count());
  const talking = {
    gateway,
    requests,
    messageLength: limits.messageLength,
    bodyBytes: limits.bodyBytes,
    stream: { pingMs, stalledMs: limits.stalledMs },
  };
  const upgrades = new Upgrades(app, maxMessageBytes);
  addRoutes(app, {
    metrics,
    live: { upgrades, requests, handler: options.live },
    docs: { demo, describe },
    webApp: { app: openWebApp(options.webAppFolder), basePath, demo, version },
    login: {
      ...login,
      people,
      demo,
      basePath,
      whoIsAsking: whoIsAsking({ people: [...people], demo, version }, options.claudeCode?.mayUseTerminal),
    },
    household: options,
    usage: { usage: options.usage, clock: options.clock ?? systemClock },
    linkedIn: options.linkedIn && { ...options.linkedIn, basePath },
    sessions: {
      ...talking,
      assistants: options.assistants,
      models: options.models,
      codeSessions: options.claudeCode?.sessions,
    },
    notes: { ...talking, newSession: options.notes },
    chat: { ...talking, newSession: options.chat },
    claudeCode: options.claudeCode && {
      ...options.claudeCode,
      requests,
      stream: talking.stream,
      upgrades,
    },
  });
  app.setNotFoundHandler(answerNoRoute(routes));
  await app.ready();

  return {
    routes,
    async listen(prepare = async () => undefined) {
      const address = app.listen({ host: options.host, port: options.port });
      prepared = address.then(prepare);
      await prepared;
      return address;
    },
    close: () => app.close(),
  };
}

function createLogin({ login, people, clock = systemClock }: HttpDoorOptions) {
  const password = new FamilyPassword(login.password, () => login.store.passwordHashes());
  const logins = new Logins({ ...login, passwordHash: () => password.hash(), clock, people });
  return { logins, password, guesses: new GuessLimits(clock) };
}

/** Loaded on demand, because the rest of the server doesn't need its dependencies. */
async function describe(): Promise<object> {
  const { describeApi } = await import('./openapi/document.ts');
  return describeApi();
}
