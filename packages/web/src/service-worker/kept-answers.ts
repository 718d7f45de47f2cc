// Keeps what pages show while the server can't be reached: who is here, the lists, and the conversations that were read
// last. It belongs to one person at a time, and is deleted when they log out, when somebody else uses the browser, and
// when the server no longer knows the login.
import { base, cachePrefix, pathOf, reach } from './scope.ts';

const prefix = cachePrefix('kept');
/** About 20 conversations. */
const maxAnswers = 64;
const maxBytes = 2 * 1024 * 1024;

const me = 'api/me';
const lists = /^api\/(?:me|assistants|people|sessions|claude\/sessions)$/;
const conversations = /^api\/(?:claude\/)?sessions\/[\w-]+(?:\/(?:past|versions))?$/;
/** Only the start of a list or conversation is kept, not searches, filtered lists or older pages. */
const parts = ['q', 'cursor', 'before', 'subagent', 'full_text', 'pinned', 'archived', 'tag', 'project'];

/** Changes run one after the other, so that an answer that arrives after a logout isn't kept. */
let changes: Promise<unknown> = Promise.resolve();

function inTurn(change: () => Promise<void>): Promise<void> {
  const done = changes.then(change, change);
  changes = done;
  return done;
}

export function isKept({ url }: Request, path: string): boolean {
  if (!lists.test(path) && !conversations.test(path)) return false;
  const { searchParams } = new URL(url);
  return parts.every((name) => !searchParams.has(name));
}

/** The history that a page reads lacks its newest part, which comes over the live connection. */
function isWhole({ url }: Request, path: string): boolean {
  return !path.endsWith('/past') || new URL(url).searchParams.has('whole');
}

/** From the server if it can be reached. `later` gets the work that the response doesn't wait for. */
export async function answerTo(
  request: Request,
  path: string,
  later: (work: Promise<void>) => void,
): Promise<Response> {
  const response = await reach(request);
  if (response) {
    if (isWhole(request, path)) {
      const copy = response.clone();
      later(inTurn(() => keep(request, path, copy)));
    }
    return response;
  }
  await changes.catch(() => undefined);
  const name = path === me ? await ownCache() : nameFor(request);
  const kept = name === undefined ? undefined : await caches.match(keyOf(path), { cacheName: name });
  return kept ?? fetch(request);
}

/** What to do with kept answers when a request ends or changes a login, or deletes a conversation. */
export function changesKept(method: string, path: string): (() => Promise<void>) | undefined {
  if (method === 'POST' && /^(?:logout|login(?:\/.*)?|api\/me)$/.test(path)) return forget;
  if (method === 'DELETE' && conversations.test(path)) return () => inTurn(() => drop(path));
  return undefined;
}

export function forget(): Promise<void> {
  return inTurn(() => forgetAllBut(undefined));
}

async function keep(request: Request, path: string, response: Response): Promise<void> {
  if (response.status === 401) return forgetAllBut(undefined);
  if (response.status === 403 || response.status === 404) return drop(path);
  if (!response.ok) return undefined;
  const body = await response.arrayBuffer();
  const name = path === me ? await nameOfPerson(body) : nameFor(request);
  if (name === undefined || (path !== me && !(await caches.has(name)))) return undefined;
  const cache = await caches.open(name);
  const key = keyOf(path);
  // Deleted first, so that it counts as the newest.
  await cache.delete(key);
  if (body.byteLength > maxBytes) return undefined;
  await cache.put(key, new Response(body, { headers: { 'content-type': 'application/json' } }));
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, -maxAnswers).map((oldest) => cache.delete(oldest)));
  return undefined;
}

/** Names the cache of the person who is here now, and drops all others. */
async function nameOfPerson(body: ArrayBuffer): Promise<string | undefined> {
  const { person } = JSON.parse(new TextDecoder().decode(body)) as { person: string | null };
  const name = person === null ? undefined : prefix + person;
  await forgetAllBut(name);
  return name;
}

function nameFor({ headers }: Request): string | undefined {
  const person = headers.get('x-notes-person');
  return person === null ? undefined : prefix + person;
}

async function ownCache(): Promise<string | undefined> {
  return (await caches.keys()).find((name) => name.startsWith(prefix));
}

async function drop(path: string): Promise<void> {
  const name = await ownCache();
  if (name === undefined) return;
  const cache = await caches.open(name);
  const stale = (await cache.keys()).filter(({ url }) => `${pathOf(url) ?? ''}/`.startsWith(`${path}/`));
  await Promise.all(stale.map((key) => cache.delete(key)));
}

async function forgetAllBut(wanted: string | undefined): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== wanted);
  await Promise.all(others.map((name) => caches.delete(name)));
}

function keyOf(path: string): string {
  return new URL(path, base).href;
}
