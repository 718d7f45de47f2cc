// The visits to a server. In each, a person or program does one thing, such as using a door or leaving halfway, and
// cleans up afterwards.
import { setTimeout as pause } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { ApiError, createHttp, newKey, streamEvents } from '@parley/client';
import { WebSocket } from 'ws';
import type { Random } from '../../../../fuzz/random.ts';
import { deleteSession, newSession, openPage, openTerminal, until } from '../../bench/parts/code-pages.ts';
import { apiKey } from '../../bench/parts/processes.ts';
import { type Fault, faults, promptText } from './faulty-model.ts';
import { descendantsOf } from './readings.ts';
import { type SoakServer, senders, typist } from './soak-server.ts';

/** Throws if something goes wrong. */
export type Visit = (place: SoakServer, random: Random, number: number, visitor: number) => Promise<void>;

/** Faults before the first word of an answer are retried, so an answer still comes. */
const answered: readonly (Fault | undefined)[] = [
  undefined,
  undefined,
  undefined,
  '429',
  'overloaded',
  'broken',
];
const any = [undefined, undefined, ...faults];
/** No answer takes this long, so waiting longer is pointless. */
const patienceMs = 120_000;

/** `often` says how often a visit happens compared with the others. */
export const visits: readonly (readonly [name: string, often: number, visit: Visit])[] = [
  ['notes', 4, notes],
  ['kitchen', 4, kitchen],
  ['program', 4, program],
  ['code', 1, code],
  ['terminal', 1, terminal],
  ['telegram', 2, telegram],
  ['discord', 2, discord],
  ['upload', 2, upload],
  ['ghost', 2, ghost],
  ['cut line', 1, cutLine],
];

const headers = { 'x-api-key': apiKey, 'x-notes-person': 'bench' };

async function call(
  { server }: SoakServer,
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
) {
  const response = await fetch(server.url + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response;
}

async function remove(place: SoakServer, session: string): Promise<void> {
  await (await call(place, 'DELETE', `/api/sessions/${session}`)).arrayBuffer();
}

async function create(place: SoakServer): Promise<string> {
  const response = await call(place, 'POST', '/api/sessions', { assistant: 'notes' });
  return ((await response.json()) as { readonly id: string }).id;
}

/** Lines of JSON. Half of the visitors leave before the answer is complete. */
async function notes(place: SoakServer, random: Random, number: number): Promise<void> {
  const id = await create(place);
  const leaving = new AbortController();
  const body = { message: promptText(number, random.pick(any)), session_id: id };
  const response = await call(place, 'POST', '/api/claude/chat-stream', body, leaving.signal);
  if (random.int(2) === 0) {
    await response.body?.getReader().read();
    leaving.abort();
  } else {
    const text = await response.text();
    if (!/"type":"session"/.test(text)) throw new Error(`got ${text}`);
  }
  await remove(place, id);
}

/** Events. Some visitors lose the connection and resume, some stop the turn. */
async function kitchen(place: SoakServer, random: Random, number: number): Promise<void> {
  const message = promptText(number, random.pick(any));
  const response = await call(place, 'POST', '/api/chat', { message });
  const id = response.headers.get('x-conversation-id') ?? '';
  if (random.int(4) === 0) {
    await (await call(place, 'POST', `/api/chat/${id}/stop`)).arrayBuffer();
  }
  if (random.int(3) === 0) {
    await response.body?.cancel();
    await (await call(place, 'GET', `/api/chat/${id}/events`)).text();
  } else {
    const text = await response.text();
    if (!/^event: (done|error)$/m.test(text)) throw new Error(`got ${text}`);
  }
  await remove(place, id);
}

/** A program that stays connected, over a line that breaks now and then. Sends a file with some prompts. */
async function program(place: SoakServer, random: Random, number: number): Promise<void> {
  const client = random.pick(place.clients);
  const id = await create(place);
  const signal = AbortSignal.timeout(patienceMs);
  const data = Buffer.alloc(20_000, `${number} `).toString('base64');
  const files =
    random.int(3) === 0 ? [{ name: 'list.txt', mediaType: 'text/plain', data, size: 20_000 }] : [];
  const key = newKey();
  const prompt = { text: promptText(number, random.pick(any)), images: [], files };
  await untilReached(() => client.sessions.prompt(id, prompt, { key, signal }));
  let isOver = false;
  for await (const { event } of client.subscribe(id, { after: 0, signal })) {
    isOver = event.type === 'turn.ended';
    if (isOver) break;
  }
  if (!isOver) throw new Error('the turn never ended');
  await remove(place, id);
}

async function untilReached<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 0) throw error;
      await pause(50);
    }
  }
}

/** Claude Code. Some pages leave in the middle, and sometimes the program is killed. */
async function code(place: SoakServer, random: Random, number: number): Promise<void> {
  const { server, workingDir } = place;
  const id = await newSession(server.url, workingDir);
  const page = await openPage(server.url, id);
  try {
    page.prompt(promptText(number, random.pick([undefined, '429', 'slow'])));
    const isOver = until(page, '"running":null');
    if (random.int(3) === 0) {
      const pid = random.pick(
        descendantsOf(server.pid).filter(({ command }) => command.includes('claude')),
      )?.pid;
      if (pid !== undefined) kill(pid);
    }
    if (random.int(4) > 0) await inTime(isOver, 'a Claude Code turn');
  } finally {
    page.close();
    await deleteSession(server.url, id);
  }
}

/** The program's own screen. Some visitors leave while it starts. Deleting the session ends the program. */
async function terminal({ server, workingDir }: SoakServer, random: Random, number: number): Promise<void> {
  const id = await newSession(server.url, workingDir, { person: typist, mode: 'cli' });
  const screen = openScreen(server.url, id);
  try {
    await inTime(screen.resized(80 + random.int(80), 30), 'opening a terminal');
    if (random.int(4) === 0) return;
    const text = promptText(number, random.pick([undefined, '429', 'slow']));
    await inTime(screen.shows('❯'), 'the screen of a terminal');
    screen.type(text);
    await inTime(screen.shows(text), 'the echo of a terminal');
    // Together with the text, it would be a line break.
    screen.type('\r');
    await inTime(screen.shows('Answer'), 'an answer in a terminal');
  } finally {
    screen.close();
    await deleteSession(server.url, id, typist);
  }
}

/** Another visitor may kill the program, and all processes can be busy. Then there is nothing more to see. */
function openScreen(url: string, id: string) {
  const socket = openTerminal(url, id, typist);
  let seen = '';
  let failure: Error | undefined;
  socket.on('message', (bytes, isBinary) => {
    if (isBinary) seen += (bytes as Buffer).toString();
  });
  socket.on('error', (error) => {
    failure = error;
  });
  socket.on('close', (code, reason) => {
    const why = reason.toString();
    if (code !== 1000 && !why.includes('are busy')) failure ??= new Error(`closed: ${code} ${why}`);
  });
  async function until(isDone: () => boolean): Promise<void> {
    while (!isDone() && socket.readyState !== WebSocket.CLOSED) await pause(50);
    if (failure) throw failure;
  }
  return {
    async resized(cols: number, rows: number) {
      await until(() => socket.readyState === WebSocket.OPEN);
      socket.send(JSON.stringify({ type: 'resize', cols, rows }));
    },
    shows: (text: string) => until(() => withoutSpaces(seen).includes(withoutSpaces(text))),
    type: (keys: string) => socket.send(Buffer.from(keys), { binary: true }),
    close: () => socket.terminate(),
  };
}

/** The program moves the cursor instead of writing spaces. */
function withoutSpaces(screen: string): string {
  return stripVTControlCharacters(screen).replaceAll(/\s/g, '');
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

/** Everybody writes to the bot in their own chat. */
async function telegram(
  { telegram }: SoakServer,
  random: Random,
  number: number,
  visitor: number,
): Promise<void> {
  const fault = random.pick([{ kind: 'cut' }, { kind: 'flood', seconds: 1 }] as const);
  if (random.int(8) === 0) telegram.failNext('sendMessage', fault);
  const from = { id: senders + visitor, is_bot: false, first_name: 'Petra' };
  if (random.int(5) === 0) telegram.inject({ from, fields: { text: '/new' } });
  telegram.inject({ from, fields: { text: promptText(number, random.pick(answered)) } });
  const shows = () => telegram.sent.slice(-100).some(({ text }) => text.includes(`number ${number}.`));
  await telegram.until(shows, AbortSignal.timeout(patienceMs));
}

async function discord(
  { discord }: SoakServer,
  random: Random,
  number: number,
  visitor: number,
): Promise<void> {
  const fault = random.pick([{ kind: 'cut' }, { kind: 'rate-limit', seconds: 1 }] as const);
  if (random.int(8) === 0) discord.failNext('POST /channels/:id/messages', fault);
  const author = { id: String(senders + visitor), username: 'Petra' };
  const channel = { id: String(2 * senders + visitor), type: 1 } as const;
  discord.inject({ author, channel, content: promptText(number, random.pick(answered)) });
  const shows = () =>
    discord.visible(channel.id).some(({ content }) => content.includes(`number ${number}.`));
  await discord.until(shows, AbortSignal.timeout(patienceMs));
}

/** Uploads the same three files again and again. Some uploads break off. */
async function upload(place: SoakServer, random: Random): Promise<void> {
  const path = `/api/notes/files/raw?path=file-${random.int(3)}.bin&replace=true`;
  const bytes = Buffer.alloc(300_000, random.int(256));
  const breaksOff = random.int(3) === 0;
  let sent = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (sent === bytes.length) controller.close();
        else if (breaksOff && sent > 0) controller.error(new Error('the visitor left'));
        else controller.enqueue(bytes.subarray(sent, (sent += 100_000)));
      },
    },
    // Otherwise it would break off before the first piece is on its way.
    { highWaterMark: 0 },
  );
  const answer = fetch(place.server.url + path, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/octet-stream' },
    body,
    duplex: 'half',
  });
  const status = await answer.then(
    async (response) => (await response.arrayBuffer(), response.status),
    () => 0,
  );
  if (!breaksOff && status !== 200 && status !== 201 && status !== 409) throw new Error(`answered ${status}`);
}

/** Opens connections and disappears. */
async function ghost({ server }: SoakServer, random: Random): Promise<void> {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/live`, { headers });
  socket.on('error', () => undefined);
  if (random.int(2) === 0) await new Promise((resolve) => socket.once('open', resolve));
  socket.terminate();
  const leaving = new AbortController();
  const http = createHttp({ baseUrl: server.url, apiKey, person: () => 'bench' });
  const events = streamEvents(http, '/api/notifications', {
    signal: leaving.signal,
    onOpen: () => leaving.abort(),
  });
  await events.next().catch(() => undefined);
}

async function cutLine({ line }: SoakServer, random: Random): Promise<void> {
  line.cut();
  await pause(random.int(200));
  line.repair();
}

async function inTime(work: Promise<unknown>, what: string): Promise<void> {
  const late = new AbortController();
  const timeout = pause(patienceMs, true, { signal: late.signal }).catch(() => false);
  const isLate = await Promise.race([work.then(() => false), timeout]);
  late.abort();
  if (isLate) throw new Error(`${what} takes too long`);
}
