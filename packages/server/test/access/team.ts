// A whole server with a small team, and somebody whose things the others try to reach.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreatedApiKey, type SessionDetails } from '@parley/protocol';
import { type RunningApp, startApp } from '../../src/app.ts';
import { openCredentials } from '../../src/config/credentials.ts';
import { LiveConfig } from '../../src/config/live-config.ts';
import { loadConfig } from '../../src/config/load.ts';
import { demoProgramHome, demoProjectsRoot } from '../../src/demo/layout.ts';
import { createLogger } from '../../src/logging/logger.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { until } from '../doors/http/door-harness.ts';
import { type Answer, type Visitor, visit } from '../doors/http/visitor.ts';

/** Somebody's credentials: the headers that carry them. */
export type Credentials = Readonly<Record<string, string>>;

/** In everything that belongs to Sebastian. */
export const secret = 'quincebread';
const everybodysKey = 'a-key-for-everybody';
const familyPassword = 'the family password of the test';
const password = 'plums and 4 lanterns at noon';

export interface Sessions {
  readonly notes: string;
  readonly kitchen: string;
  readonly code: string;
  /** Started outside of Parley, so that only its transcript exists. */
  readonly outside: string;
}

export interface Team {
  readonly app: RunningApp;
  readonly folder: string;
  /** People who may not see anything of Sebastian's, by the door they come through. */
  readonly strangers: Readonly<Record<string, Credentials>>;
  /** People who are no longer let in, or never were. */
  readonly refused: Readonly<Record<string, Credentials>>;
  /** Sebastian's own credentials. */
  readonly sebastian: Readonly<Record<'login' | 'key' | 'readOnly' | 'onlyKitchen', Credentials>>;
  readonly reader: Credentials;
  readonly participant: Credentials;
  readonly owner: Credentials;
  /** All of Sebastian's; the first two and `code` are shared with the reader and the participant. */
  readonly sessions: Sessions;
  readonly things: Readonly<Record<'key' | 'device' | 'passkey', string>>;
  stop(): Promise<void>;
}

export async function startTeam(): Promise<Team> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-access-'));
  const app = await start(folder);
  const enter = (inviter: Visitor | Credentials, name: string, more: object = {}) =>
    accept(app, inviter, { name, ...more });
  const family = visit(app);
  await family.send('POST', '/login', { password: familyPassword, person: 'petra' });
  const olga = await enter(withKey(everybodysKey, 'petra'), 'olga', { role: 'owner' });
  const sebastian = await enter(olga, 'sebastian');
  const mia = await enter(olga, 'mia');
  const gus = await enter(olga, 'gus', { role: 'guest', assistants: ['kitchen'] });
  const rita = await enter(olga, 'rita');
  const paul = await enter(olga, 'paul');
  const dora = await enter(olga, 'dora');

  const miasKey = await makeKey(mia, { label: 'of mia' });
  const dorasKey = await makeKey(dora, { label: 'of dora' });
  await expecting(200, olga.send('PATCH', '/api/people/dora', { disabled: true }));

  const key = await makeKey(sebastian, { label: secret });
  const readOnly = await makeKey(sebastian, { label: secret, readOnly: true });
  const onlyKitchen = await makeKey(sebastian, { label: secret, assistants: ['kitchen'] });
  const notes = await chat(sebastian, 'notes');
  const kitchen = await chat(sebastian, 'kitchen');
  const workingDir = join(demoProjectsRoot(folder), 'garden');
  await mkdir(workingDir, { recursive: true });
  await writeFile(join(workingDir, 'bed.txt'), `bed ${secret}`);
  const vault = join(folder, 'demo', 'notes', 'sebastian');
  await mkdir(vault, { recursive: true });
  await writeFile(join(vault, `${secret}.md`), secret);
  const made = await expecting(
    201,
    sebastian.send('POST', '/api/claude/sessions', { workingDir, title: secret }),
  );
  const code = String(made.body['id']);
  const outside = await writeTranscript(folder, workingDir);
  await until(async () => (await sebastian.send('GET', `/api/claude/sessions/${outside}`)).status === 200);
  for (const [who, level] of [
    ['rita', 'read'],
    ['paul', 'participate'],
  ])
    for (const id of [notes, code])
      await expecting(200, sebastian.send('PUT', `/api/sessions/${id}/shares`, { with: who, level }));
  await expecting(
    200,
    olga.send('PUT', '/api/budgets', {
      scope: 'person',
      subject: 'sebastian',
      period: 'day',
      unit: 'usd',
      limit: 1_000,
    }),
  );
  const passkey = `passkey-${secret}`;
  const store = await openSqliteStore({ file: join(folder, 'demo', 'parley.db') });
  await store.accounts.addPasskey({
    id: passkey,
    person: 'sebastian',
    name: secret,
    publicKey: 'AA',
    counter: 0,
    transports: [],
    host: 'localhost',
    createdAt: Date.now(),
  });
  await store.close();
  const { devices } = (await sebastian.send('GET', '/api/account/devices')).body as unknown as {
    devices: { id: string }[];
  };
  return {
    app,
    folder,
    strangers: {
      'an owner with a login': cookieOf(olga),
      'a member with a login': cookieOf(mia),
      'a member with a key': withKey(miasKey.secret),
      'a guest with a login': cookieOf(gus),
      'somebody with the family password': cookieOf(family),
      'somebody with a key for everybody': withKey(everybodysKey, 'petra'),
    },
    refused: {
      nobody: {},
      'a wrong key': withKey('not-a-key'),
      'a disabled account with a login': cookieOf(dora),
      'a disabled account with a key': withKey(dorasKey.secret),
    },
    sebastian: {
      login: cookieOf(sebastian),
      key: withKey(key.secret),
      readOnly: withKey(readOnly.secret),
      onlyKitchen: withKey(onlyKitchen.secret),
    },
    reader: cookieOf(rita),
    participant: cookieOf(paul),
    owner: cookieOf(olga),
    sessions: { notes, kitchen, code, outside },
    things: { key: key.key.id, device: devices[0]?.id ?? '', passkey },
    async stop() {
      await app.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function withKey(key: string, person?: string): Credentials {
  return { 'x-api-key': key, ...(person !== undefined && { 'x-notes-person': person }) };
}

export const everybody = (person: string) => withKey(everybodysKey, person);

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly conversation: string | null;
}

/** Reads the whole answer, or only the first part of one that stays open. */
export async function send(
  { app }: Pick<Team, 'app'>,
  headers: Credentials,
  method: string,
  path: string,
  body?: object,
): Promise<Reply> {
  const response = await fetch(app.url + path, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    redirect: 'manual',
  });
  const conversation = response.headers.get('x-conversation-id') ?? response.headers.get('x-session-id');
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const text = isStream ? 'a stream' : await response.text();
  if (isStream) await response.body?.cancel();
  return { status: response.status, text, conversation };
}

/** Asks for a WebSocket; 101 if it is opened. */
export function upgrade({ app }: Pick<Team, 'app'>, headers: Credentials, path: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const upgrading = request(app.url + path, {
      headers: {
        ...headers,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      },
    });
    upgrading.on('upgrade', (_response, socket) => {
      socket.destroy();
      resolve({ status: 101, text: '', conversation: null });
    });
    upgrading.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, conversation: null }));
    });
    upgrading.on('error', reject);
    upgrading.end();
  });
}

async function start(folder: string): Promise<RunningApp> {
  const environment = {
    PARLEY_HOME: folder,
    PARLEY_PORT: '0',
    PARLEY_DEMO: '1',
    PARLEY_API_KEY: everybodysKey,
    FAMILY_PASSWORD: familyPassword,
  };
  const settings = {
    openid: { issuer: 'http://127.0.0.1:9/nobody', clientId: 'parley' },
    claude: { warmProcesses: 0, terminalPeople: ['sebastian', 'petra'] },
    limits: { requestsPerMinute: 100_000, totalRequestsPerMinute: 100_000 },
  };
  await writeFile(join(folder, 'parley.config.json'), JSON.stringify(settings));
  const folders = { user: folder, current: folder };
  const loaded = loadConfig({ environment, flags: {}, folders });
  const { config, problems } = loaded;
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  const logger = createLogger({ level: 'info', write: () => undefined });
  const live = new LiveConfig(loaded, { learnSecrets: () => undefined, logger });
  return startApp({ config, live, credentials: await openCredentials(config), logger, log: logger.control });
}

/** Invites somebody, who accepts with a password. */
async function accept(
  app: RunningApp,
  inviter: Visitor | Credentials,
  wanted: { readonly name: string },
): Promise<Visitor> {
  const by = 'send' in inviter ? (inviter as Visitor) : visit(app);
  const headers = 'send' in inviter ? {} : inviter;
  const invited = await expecting(200, by.send('POST', '/api/invitations', wanted, headers));
  const visitor = visit(app);
  const [, link] = String(invited.body['path']).split('#');
  await expecting(200, visitor.send('POST', '/api/invitations/accept', { secret: link, password }));
  return visitor;
}

async function makeKey(visitor: Visitor, wanted: object): Promise<CreatedApiKey> {
  return CreatedApiKey.parse((await expecting(201, visitor.send('POST', '/api/keys', wanted))).body);
}

/** A conversation with one turn that is over. */
async function chat(visitor: Visitor, assistant: string): Promise<string> {
  const made = await expecting(201, visitor.send('POST', '/api/sessions', { assistant, title: secret }));
  const path = `/api/sessions/${made.body['id']}`;
  await expecting(202, visitor.send('POST', `${path}/prompts`, { message: `Say ${secret}` }));
  await until(async () => {
    const { running, turns } = (await visitor.send('GET', path)).body as unknown as SessionDetails;
    return running === null && turns.length === 1;
  });
  return String(made.body['id']);
}

/** As `claude` writes it when it runs outside of Parley. */
async function writeTranscript(folder: string, cwd: string): Promise<string> {
  const id = crypto.randomUUID();
  const project = join(demoProgramHome(folder), '.claude', 'projects', cwd.replaceAll(/[^A-Za-z0-9]/g, '-'));
  await mkdir(project, { recursive: true });
  const line = {
    type: 'user',
    uuid: crypto.randomUUID(),
    parentUuid: null,
    sessionId: id,
    cwd,
    version: '2.0.8',
    timestamp: new Date().toISOString(),
    isSidechain: false,
    userType: 'external',
    message: { role: 'user', content: secret },
  };
  await writeFile(join(project, `${id}.jsonl`), `${JSON.stringify(line)}\n`);
  return id;
}

function cookieOf(visitor: Visitor): Credentials {
  return { cookie: visitor.cookie };
}

async function expecting(status: number, sent: Promise<Answer>): Promise<Answer> {
  const answer = await sent;
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`);
  return answer;
}
