// Everybody tries everything of Sebastian's, through every door: nobody reaches what isn't theirs, and a foreign id is
// answered exactly like an unknown one. Bots: `bots.test.ts`. Code inside a sandbox: `engines/claude-code/sandbox`.
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { until } from '../doors/http/door-harness.ts';
import { LiveClient } from '../doors/websocket/live-client.ts';
import { type Rule, rules } from './rules.ts';
import {
  type Credentials,
  everybody,
  type Reply,
  type Sessions,
  secret,
  send,
  startTeam,
  type Team,
  upgrade,
} from './team.ts';

const strangers = [
  'an owner with a login',
  'a member with a login',
  'a member with a key',
  'a guest with a login',
  'somebody with the family password',
  'somebody with a key for everybody',
];
const withoutRights = strangers.slice(1);
const refused = ['nobody', 'a wrong key', 'a disabled account with a login', 'a disabled account with a key'];

let team: Team;
let all: readonly string[];
beforeAll(async () => {
  team = await startTeam();
  all = Object.values(team.sessions);
});
afterAll(() => team.stop());

interface Row {
  readonly route: string;
  readonly method: string;
  readonly path: string;
  readonly rule: Rule;
}

const rows: readonly Row[] = Object.entries(rules).map(([route, rule]) => {
  const [method = '', path = ''] = route.split(' ');
  return { route, method, path, rule };
});

function rowsFor<Kind extends Rule['for']>(...kinds: readonly Kind[]) {
  return rows.filter((row): row is Row & { rule: Extract<Rule, { for: Kind }> } =>
    kinds.some((kind) => kind === row.rule.for),
  );
}

/** Sends the route's request about the thing with this id. */
function ask({ method, path, rule }: Row, who: Credentials, id: string): Promise<Reply> {
  const filled = path
    .replace(/:(id|conversation_id|person)/, id)
    .replace(/:(turnId|permissionId)/, '00000000-0000-4000-8000-000000000000')
    .replace(':index', '0')
    .replace(':how', 'push')
    .replace(':with', 'rita');
  const target = `${filled}?${(rule.query ?? '').replace('ID', id)}`;
  if (rule.for === 'a socket') return upgrade(team, who, target);
  const body = rule.body && JSON.parse(JSON.stringify(rule.body).replace('ID', id).replace('TURN', id));
  return send(team, who, method, target, body);
}

/** Asks about somebody else's things, and expects what an unknown one gets. */
async function expectUnknown(row: Row, who: Credentials, ids: readonly string[]): Promise<void> {
  const [unknown, ...foreign] = await Promise.all(
    [crypto.randomUUID(), ...ids].map((id) => ask(row, who, id)),
  );
  const isRefused = (unknown?.status ?? 0) >= 400 || unknown?.text.startsWith('{"success":false');
  expect([row.route, isRefused]).toEqual([row.route, true]);
  for (const { status, text } of foreign)
    expect([row.route, status, text]).toEqual([row.route, unknown?.status, unknown?.text]);
}

const sessionRows = rowsFor('a session', 'a socket');
/** What is shared can be read and prompted, but the terminal stays its owner's. */
const sharedRows = sessionRows.filter(({ path }) => !path.endsWith('/terminal'));
const isUnsafe = ({ method, rule }: Row) => method !== 'GET' || rule.changes === true;

/** The pages of the built web app and the documentation, which are the same for everybody, and their files. */
const ofWebApp =
  /^\/(?:chat|recipes|code|overview|settings|setup|assets|help)(?:\/|$)|^\/(?:[^/]+\.(?:png|svg|webmanifest)|service-worker\.js)$/;

describe('the person × door × resource matrix', () => {
  it('has a rule for every route [team.access.every-route]', () => {
    const known = team.app.routes.filter(({ method, path }) => method !== 'HEAD' && !ofWebApp.test(path));
    expect(known.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
      Object.keys(rules).toSorted(),
    );
  });

  it.each(refused)('%s gets nothing [team.access.refused]', async (name) => {
    const closed = rows.filter(({ rule }) => rule.for !== 'anybody');
    const asked = closed.map((row) => ask(row, team.refused[name] ?? {}, team.sessions.notes));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses).toEqual(closed.map(() => 401));
  });

  it.each(strangers)('%s reaches no session of others [team.access.sessions]', async (name) => {
    await Promise.all(sessionRows.map((row) => expectUnknown(row, team.strangers[name] ?? {}, all)));
  });

  it('starts a new session for people who name one of others [team.access.sessions]', async () => {
    const { kitchen } = team.sessions;
    const asked = Object.values(team.strangers).flatMap((who) =>
      rowsFor('a session or a new one').map((row) => ask(row, who, kitchen)),
    );
    const conversations = (await Promise.all(asked)).flatMap(({ conversation }) => conversation ?? []);
    // All but the guest, who may use only one of the two assistants.
    expect(conversations).toHaveLength(asked.length - 2);
    expect(conversations).not.toContain(kitchen);
    const { text } = await send(team, team.sebastian.login, 'GET', `/api/sessions/${kitchen}`);
    expect(text).not.toContain('"hello"');
  });

  it.each(strangers)('%s reaches no key, device or passkey of others [team.access.things]', async (name) => {
    const who = team.strangers[name] ?? {};
    for (const row of rowsFor('its person')) {
      // An owner may revoke everybody's keys.
      if (name === strangers[0] && row.rule.what === 'key') continue;
      await expectUnknown(row, who, [team.things[row.rule.what]]);
    }
  });

  it.each(withoutRights)('%s does nothing that needs a right [team.access.rights]', async (name) => {
    for (const row of rowsFor('those with the right')) {
      for (const id of ['sebastian', 'person:day:usd:sebastian', 'unknown']) {
        const { status, text } = await ask(row, team.strangers[name] ?? {}, id);
        expect([row.route, status]).toEqual([row.route, 403]);
        expect(text).not.toContain(secret);
      }
    }
  });

  it.each(strangers)('%s finds nothing of others in any list [team.access.lists]', async (name) => {
    const who = team.strangers[name] ?? {};
    const hidden = [secret, ...all, ...Object.values(team.things)];
    const lists = rowsFor('oneself', 'the house').filter((row) => !isUnsafe(row) && !row.path.includes(':'));
    const isOwner = name === strangers[0];
    await Promise.all(
      lists.map(async ({ route, path, rule }) => {
        if (rule.owners && isOwner) return;
        for (const query of ['', `?q=${secret}&full_text=true`]) {
          const { text } = await send(team, who, 'GET', path + query);
          expect([route, hidden.filter((one) => text.includes(one))]).toEqual([route, []]);
        }
      }),
    );
  });

  it('tells nobody what others do [team.access.events]', async () => {
    const hidden = [...all, crypto.randomUUID()];
    const pages = await Promise.all(
      Object.values(team.strangers).map(async (who) => {
        const page = new LiveClient(`${team.app.url}/api/live`, who);
        await page.opened();
        for (const session of hidden) page.send({ type: 'subscribe', session });
        const ends = await Promise.all(hidden.map((id) => page.ended(id)));
        for (const { code, message } of ends)
          expect([code, message]).toEqual(['not_found', 'There is no such session.']);
        return { who, page };
      }),
    );
    await say(team.sebastian.login, team.sessions.kitchen);
    await Promise.all(
      pages.map(async ({ who, page }) => {
        // Their own turn ends later. By then, they would know about Sebastian's.
        const made = await send(team, who, 'POST', '/api/sessions', { assistant: 'kitchen' });
        await say(who, (JSON.parse(made.text) as { id: string }).id);
        await page.until(() => page.of('notification').some(({ name }) => name === 'turn-ended'));
        expect(JSON.stringify(page.of('notification'))).not.toContain(secret);
        page.drop();
      }),
    );
  });

  it.each(['somebody with the family password', 'somebody with a key for everybody'])(
    '%s can’t name somebody with an account [team.access.naming]',
    async (name) => {
      for (const path of ['/api/sessions', '/api/account', '/api/keys', '/api/claude/sessions']) {
        const as = (person: string) =>
          send(team, { ...team.strangers[name], 'x-notes-person': person }, 'GET', path);
        expect(await as('sebastian')).toEqual(await as('somebody-else'));
        expect((await as('sebastian')).status).toBe(400);
      }
      const choose = (person: string) =>
        send(team, team.strangers[name] ?? {}, 'POST', '/api/me', { person });
      expect(await choose('sebastian')).toEqual(await choose('somebody-else'));
      expect((await send(team, everybody('petra'), 'GET', '/api/sessions?person=sebastian')).status).toBe(
        200,
      );
    },
  );

  it.each(strangers.slice(0, 4))('%s acts for nobody else [team.access.naming]', async (name) => {
    for (const person of ['sebastian', 'petra', 'somebody-else']) {
      const named = { ...team.strangers[name], 'x-notes-person': person };
      expect((await send(team, named, 'GET', '/api/sessions')).status).toBe(403);
    }
  });

  it('lets a reader read what is shared, and nothing more [team.access.shared]', async () => {
    for (const row of sharedRows) {
      await expectUnknown(row, team.reader, [team.sessions.kitchen, team.sessions.outside]);
      for (const id of sharedFor(row.rule, team.sessions)) {
        const { status, text } = await ask(row, team.reader, id);
        const wanted = row.rule.level === 'read' ? 'allowed' : 403;
        expect([row.route, outcomeOf(status, text)]).toEqual([row.route, wanted]);
      }
    }
  });

  it('lets a participant take part, and nothing more [team.access.shared]', async () => {
    for (const row of sharedRows.filter(({ rule }) => rule.level !== 'read')) {
      await expectUnknown(row, team.participant, [team.sessions.kitchen, team.sessions.outside]);
      const { status, text } = await ask(
        row,
        team.participant,
        team.sessions[row.rule.for === 'a session' && row.rule.engine ? 'code' : 'notes'],
      );
      const wanted = row.rule.level === 'participate' ? 'allowed' : 403;
      expect([row.route, outcomeOf(status, text)]).toEqual([row.route, wanted]);
    }
  });

  it('opens a terminal for nobody but its owner [team.access.shared]', async () => {
    const path = `/api/claude/sessions/${team.sessions.code}/terminal`;
    for (const headers of [team.reader, team.participant]) {
      const socket = new WebSocket(team.app.url.replace('http', 'ws') + path, { headers });
      const [, reason] = (await once(socket, 'close')) as [number, Buffer];
      expect(String(reason)).toBe('There is no such session.');
      const { status } = await send(team, headers, 'DELETE', path);
      expect(status).toBe(404);
    }
  });

  it('keeps a key to its assistants [team.access.scoped-key]', async () => {
    const { notes, code, outside } = team.sessions;
    for (const row of sessionRows)
      await expectUnknown(row, team.sebastian.onlyKitchen, [notes, code, outside]);
    for (const query of ['', `?q=${secret}`]) {
      const { text } = await send(team, team.sebastian.onlyKitchen, 'GET', `/api/sessions${query}`);
      expect(text).toContain(team.sessions.kitchen);
      expect(text).not.toContain(notes);
    }
  });

  it('lets a read-only key change nothing over HTTP [team.access.read-only-key]', async () => {
    for (const row of rows.filter((one) => isUnsafe(one) && one.rule.for !== 'anybody')) {
      const { status, text } = await ask(row, team.sebastian.readOnly, team.sessions.notes);
      expect([row.route, status]).toEqual([row.route, 403]);
      expect(text).toContain('This API key may only read.');
    }
  });

  it('lets a read-only key and a reader change nothing over a WebSocket [team.access.read-only-key]', async () => {
    const commands = [
      { type: 'text', content: 'hello' },
      { type: 'text', content: 'hello', steer: true },
      { type: 'interrupt' },
      { type: 'set_model', model: 'opus' },
      { type: 'set_permission_mode', mode: 'bypassPermissions' },
      { type: 'queue_remove', turnId: crypto.randomUUID() },
      { type: 'queue_reorder', order: [] },
    ];
    for (const who of [team.sebastian.readOnly, team.reader]) {
      const errors = await errorsFor(who, commands);
      expect(errors).toHaveLength(commands.length);
      for (const error of errors) expect(error).toMatch(/only read|read-only access|Only the owner/);
    }
  });

  it('lets a key change neither who gets in nor what runs [team.access.keys-grant-nothing]', async () => {
    const made = await send(team, team.owner, 'POST', '/api/keys', { label: 'of an owner' });
    const { secret: key } = JSON.parse(made.text) as { secret: string };
    const granting = {
      'POST /api/keys': { label: 'another' },
      'DELETE /api/keys/:id': undefined,
      'POST /api/invitations': { name: 'mallory', role: 'owner' },
      'DELETE /api/invitations/:id': undefined,
      'PATCH /api/people/:person': { role: 'guest' },
      'DELETE /api/people/:person': undefined,
      'PATCH /api/settings': { changes: [{ key: 'model', value: null, revision: 0 }] },
      'POST /api/settings/mcp/test': { name: 'x', value: {} },
      'POST /api/settings/bots/test': { name: 'x', value: {} },
      'POST /api/settings/leave-demo': { apiKey: 'x' },
      'PUT /api/account/password': { password: 'plums and 5 lanterns at noon' },
      'POST /api/account/openid': undefined,
    };
    for (const [route, body] of Object.entries(granting)) {
      const [method = '', path = ''] = route.split(' ');
      const { status } = await send(team, { 'x-api-key': key }, method, path.replace(/:\w+/, 'mia'), body);
      expect([route, status]).toEqual([route, 403]);
    }
  });
});

function sharedFor(rule: Rule, { notes, code }: Sessions): readonly string[] {
  return rule.for === 'a socket' || ('engine' in rule && rule.engine) ? [code] : [notes, code];
}

/** `allowed` even if the session has no such thing, for example no image or no waiting prompt. */
function outcomeOf(status: number, text: string): number | 'allowed' {
  return status === 403 || (status === 404 && text.includes('There is no such session')) ? status : 'allowed';
}

/** Lets somebody say something, until it is answered. */
async function say(who: Credentials, id: string): Promise<void> {
  const path = `/api/sessions/${id}`;
  const turns = async () =>
    JSON.parse((await send(team, who, 'GET', path)).text) as { running: string | null; turns: object[] };
  const before = (await turns()).turns.length;
  const { status } = await send(team, who, 'POST', `${path}/prompts`, { message: 'Say it again' });
  expect(status).toBe(202);
  await until(async () => {
    const now = await turns();
    return now.running === null && now.turns.length > before;
  });
}

/** What a session's socket answers to commands, one by one. */
async function errorsFor(headers: Credentials, commands: readonly object[]): Promise<string[]> {
  const url = `${team.app.url.replace('http', 'ws')}/api/claude/sessions/${team.sessions.code}/ws`;
  const socket = new WebSocket(url, { headers });
  const errors: string[] = [];
  let isConnected = false;
  socket.on('message', (data) => {
    const message = JSON.parse((data as Buffer).toString()) as { type: string; error?: string };
    if (message.type === 'connected') isConnected = true;
    if (message.type === 'error') errors.push(message.error ?? '');
  });
  await until(() => isConnected);
  for (const [index, command] of commands.entries()) {
    socket.send(JSON.stringify(command));
    await until(() => errors.length > index);
  }
  socket.terminate();
  return errors;
}
