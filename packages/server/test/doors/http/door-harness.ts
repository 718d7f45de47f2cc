// The door over real HTTP, with the real gateway, a real database, and an engine that the test controls or provides.
import { request as httpRequest, type IncomingHttpHeaders, type RequestOptions } from 'node:http';
import { type EngineEvent, type HistoryEntry, promptText, type Recipe } from '@parley/protocol';
import { createAccounts } from '../../../src/accounts/accounts.ts';
import { createPasskeys } from '../../../src/accounts/passkeys.ts';
import { createPasswordHashes } from '../../../src/accounts/password-hashes.ts';
import { createStrengthCheck, type StrengthCheck } from '../../../src/accounts/password-strength.ts';
import { Metrics } from '../../../src/basics/metrics.ts';
import { Secret } from '../../../src/config/secret.ts';
import { createAccess } from '../../../src/domain/access.ts';
import { createAuditLog } from '../../../src/domain/audit-log.ts';
import { systemClock } from '../../../src/domain/clock.ts';
import type { Engine, EngineTurn } from '../../../src/domain/engine.ts';
import { type Logger, silentLogger } from '../../../src/domain/logger.ts';
import { createPeople, type PeopleDirectory } from '../../../src/domain/people.ts';
import { createShares } from '../../../src/domain/shares.ts';
import { createHttpDoor, type HttpDoor } from '../../../src/doors/http/door.ts';
import type { HttpDoorOptions } from '../../../src/doors/http/door-options.ts';
import type { PasswordSource } from '../../../src/doors/http/login/family-password.ts';
import { metricsObserver } from '../../../src/doors/http/operations/metrics.ts';
import { anyOf, apiKeyVerifier } from '../../../src/doors/http/policy/credentials.ts';
import { RunTimeKeys } from '../../../src/doors/http/policy/run-time-keys.ts';
import { hashSecret } from '../../../src/doors/http/policy/secret-hash.ts';
import { liveSockets } from '../../../src/doors/websocket/live-socket.ts';
import { Presence } from '../../../src/doors/websocket/presence.ts';
import { createActivityLog } from '../../../src/gateway/activity-log.ts';
import { createGateway, type RunningGateway } from '../../../src/gateway/gateway.ts';
import { openSpending } from '../../../src/gateway/spending.ts';
import { openPush } from '../../../src/push/push.ts';
import { openSqliteStore, type SqliteStore } from '../../../src/stores/sqlite/store.ts';
import { createGuardedFetch } from '../../../src/tools/web/guarded-fetch.ts';

export const key = 'parley-test-key-for-everybody';
export const familyPassword = 'correct horse battery';
export const petrasKey = 'parley-test-key-of-petra';

export const soup: Recipe = {
  id: '8f14e45f-ceea-4e7a-9c5b-1d2f3a4b5c6d',
  title: 'Tomato Soup',
  description: 'For cold days.',
  prep_time_minutes: 10,
  cook_time_minutes: 25,
  servings: 4,
  difficulty: 'easy',
  ingredients: [{ position: 1, name: 'tomatoes', quantity: 1, unit: 'kg', notes: null }],
  steps: [{ position: 1, instruction: 'Cook.', duration_minutes: 25, temperature_celsius: null }],
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-02T00:00:00.000Z',
};

/** Exists so that its routes do: the policy tests let no request through to it. */
const onlyRoutes = {
  mayUseTerminal: (person: string) => person === 'sebastian',
} as unknown as NonNullable<HttpDoorOptions['claudeCode']>;

/** Every field a notes response can have; tests compare whole bodies. */
export interface NotesBody {
  readonly success: boolean;
  readonly session_id: string;
  readonly response: string;
  readonly message: string;
  readonly history: readonly HistoryEntry[];
}

/** Each check loads dictionaries for half a second, and most tests choose the same passwords. */
const checkStrength: StrengthCheck = (password, personal) => {
  const asked = JSON.stringify([password, personal]);
  const known = checked.get(asked) ?? createStrengthCheck()(password, personal);
  checked.set(asked, known);
  return known;
};
const checked = new Map<string, Promise<void>>();

type Script = (turn: EngineTurn) => AsyncIterable<EngineEvent>;

/** Echoes every prompt, or answers with what the test scripted for it. */
class SteppedEngine implements Engine {
  readonly name = 'messages-api';
  readonly storesEvents = true;
  readonly prompts: string[] = [];
  readonly scripts = new Map<string, Script>();

  run(turn: EngineTurn): AsyncIterable<EngineEvent> {
    const prompt = promptText(turn.prompt);
    this.prompts.push(prompt);
    return (this.scripts.get(prompt) ?? echo)(turn);
  }

  async close(): Promise<void> {}
}

export interface DoorHarness {
  readonly url: string;
  readonly door: HttpDoor;
  readonly gateway: RunningGateway;
  readonly engine: SteppedEngine;
  readonly store: SqliteStore;
  readonly people: PeopleDirectory;
  readonly keys: RunTimeKeys;
  /** Uses a valid key and the person `sebastian`, unless the headers say otherwise. */
  fetch(path: string, init?: PlainRequest): Promise<Response>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  stop(): Promise<void>;
}

interface PlainRequest extends Omit<RequestInit, 'headers'> {
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HarnessOptions extends Partial<Omit<HttpDoorOptions, 'limits' | 'people'>> {
  readonly people?: readonly string[];
  readonly limits?: Partial<HttpDoorOptions['limits']>;
  readonly queue?: number;
  /** Push services that notifications may go to. */
  readonly pushHosts?: readonly string[];
  /** Replaces the engine that the test controls. */
  readonly answeredBy?: Engine;
  /** The database; in memory if absent. */
  readonly file?: string;
  readonly password?: PasswordSource;
  readonly days?: number;
  /** Runs after binding the port and before answering. */
  readonly prepare?: () => Promise<void>;
}

export async function startDoor(options: HarnessOptions = {}): Promise<DoorHarness> {
  const metrics = new Metrics();
  const logger: Logger = options.logger ?? silentLogger;
  const store = await openSqliteStore({ file: options.file ?? ':memory:' });
  const people = createPeople(options.people ?? ['sebastian', 'petra']);
  const shares = createShares(store.shares, systemClock);
  await shares.load();
  const access = createAccess(people, shares);
  const keys = new RunTimeKeys({
    store: store.apiKeys,
    people,
    clock: options.clock ?? systemClock,
    logger,
  });
  const audit = createAuditLog({ store: store.audit, clock: systemClock, logger });
  const reload = async () => {
    await keys.load();
    people.update({ accounts: await store.accounts.list() });
  };
  await reload();
  const engine = new SteppedEngine();
  const presence = new Presence();
  const pushHosts = options.pushHosts ?? [];
  const push = await openPush({
    store: store.push,
    http: createGuardedFetch({ exceptions: pushHosts }),
    allowedHosts: pushHosts,
    contact: 'https://parley.example',
    watching: presence,
    displayNameOf: (person) => people.displayNameOf(person),
    clock: options.clock ?? systemClock,
    logger,
  });
  const gateway = createGateway({
    store,
    engines: [options.answeredBy ?? engine],
    clock: { now: () => Date.now() },
    newId: () => crypto.randomUUID(),
    logger,
    observer: metricsObserver(metrics),
    access,
    audit,
    activity: push,
    limits: { queue: options.queue ?? 20, keptEvents: 5_000, log: { events: 1_024, bytes: 1_000_000 } },
  });
  const activity = createActivityLog({ clock: systemClock, access });
  const live = liveSockets({
    gateway: options.gateway ?? gateway,
    activity,
    access,
    presence,
    writer: { bufferedBytes: 256 * 1024, stalledMs: 30_000, pingMs: 30_000 },
    logger,
  });
  const passwords = createPasswordHashes();
  const door = await createHttpDoor({
    gateway,
    live,
    activity,
    access,
    shares,
    shareLinks: store.shareLinks,
    allowsShareLinks: () => true,
    keys,
    auditEntries: store.audit,
    credentials: anyOf(
      (presented) => keys.check(presented),
      apiKeyVerifier([
        { label: 'all', sha256: hashSecret(key) },
        { label: 'petra', sha256: hashSecret(petrasKey), person: 'petra' },
      ]),
    ),
    host: '127.0.0.1',
    port: 0,
    allowedHosts: ['parley.example'],
    trustedProxies: [],
    metrics,
    version: '1.2.3',
    demo: true,
    notes: { engine: 'messages-api', assistant: 'notes' },
    chat: { engine: 'messages-api', assistant: 'kitchen' },
    login: {
      store: store.logins,
      password: options.password ?? { password: new Secret(familyPassword) },
      days: options.days ?? 30,
    },
    models: () => ['claude-first', 'claude-second'],
    assistants: () => [
      { name: 'notes', label: 'Notes', engine: 'messages-api' },
      { name: 'kitchen', label: 'Kitchen', engine: 'messages-api' },
    ],
    usage: store.usage,
    audit,
    passwords,
    passkeys: createPasskeys({ store: store.accounts, clock: options.clock ?? systemClock }),
    openId: undefined,
    accounts: createAccounts({
      store: store.accounts,
      people,
      reload,
      passwords,
      checkStrength,
      audit,
      clock: options.clock ?? systemClock,
      newId: () => crypto.randomUUID(),
    }),
    storage: { limit: 1e9, used: (person) => store.storedBytes(person) },
    budgets: await openSpending({
      rules: store.budgets,
      spent: store.budgets,
      book: store.usage,
      fileRules: [],
      clock: systemClock,
      logger,
    }),
    recipes: { list: async () => [soup], get: async (id) => (id === soup.id ? soup : undefined) },
    toolHealth: { status: () => [] },
    channelHealth: { status: async () => [], statusHere: () => [] },
    files: {} as HttpDoorOptions['files'],
    changes: {} as HttpDoorOptions['changes'],
    push,
    claudeCode: onlyRoutes,
    linkedIn: {} as NonNullable<HttpDoorOptions['linkedIn']>,
    ...options,
    people,
    logger,
    limits: {
      bodyBytes: 100_000,
      messageLength: 1_000,
      requestsPerMinute: { perAddress: 10_000, overall: 10_000 },
      openStreams: 100,
      waitingBytes: { each: 64 * 1024 * 1024, all: 256 * 1024 * 1024 },
      stalledMs: 30_000,
      ...options.limits,
    },
  });
  const url = await door.listen(options.prepare);

  const harness: DoorHarness = {
    url,
    door,
    gateway,
    engine,
    store,
    people,
    keys,
    fetch: (path, init = {}) =>
      fetch(url + path, {
        ...init,
        headers: { 'x-api-key': key, 'x-notes-person': 'sebastian', ...init.headers },
      }),
    post: (path, body, headers = {}) =>
      harness.fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    async stop() {
      await door.close();
      await keys.close();
      await gateway.close();
      await push.close();
      await store.close();
    },
  };
  return harness;
}

/** A point that a script waits at until the test opens it. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Reads a stream line by line as it arrives. */
export async function* linesOf(response: Response): AsyncGenerator<string, void, undefined> {
  let rest = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export async function bodyOf(response: Response): Promise<NotesBody> {
  return (await response.json()) as NotesBody;
}

/** Sends what fetch would not: foreign Host headers, torn bodies, odd paths. */
export function rawRequest(
  url: string,
  options: RequestOptions,
  body?: string,
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function* echo({ prompt }: EngineTurn): AsyncGenerator<EngineEvent, void, undefined> {
  const text = promptText(prompt);
  yield { type: 'message', role: 'user', content: [{ type: 'text', text }] };
  yield { type: 'text.delta', text: `You said: ${text}` };
  yield { type: 'message', role: 'assistant', content: [{ type: 'text', text: `You said: ${text}` }] };
}
