// The supported routes of Discord's REST API (v10).
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody, sendJson } from '../loopback-server.ts';
import { type DiscordChannels, type DiscordMessage, wireUser } from './channels.ts';
import { DiscordRefusal, type Payload } from './wire.ts';

/** Such as `POST /channels/:id/messages`. */
export type DiscordRoute = `${string} /${string}`;

export type DiscordCall = {
  readonly route: DiscordRoute;
  readonly path: string;
  readonly payload: Payload;
  readonly at: number;
};

export type DiscordFile = { readonly path: string; readonly type: string; readonly bytes: Uint8Array };

export type RestParts = {
  readonly token: string;
  readonly channels: DiscordChannels;
  readonly files: readonly DiscordFile[];
  /** The interactions by their tokens, and how the bot answered them so far. */
  readonly interactions: Map<string, Interaction>;
  gatewayUrl(): string;
  /**
   * Runs around each call and returns its result. It may answer the response itself, or refuse with a
   * `DiscordRefusal`; any other error breaks the connection.
   */
  intercept(call: DiscordCall, response: ServerResponse, proceed: () => unknown): unknown;
  onCall(call: DiscordCall): void;
  onSent(message: DiscordMessage): void;
  onChange(): void;
};

export type Interaction = {
  /** The first answer, which the service waits for. */
  callback?: Payload;
  /** Messages that only the person can see, in their current form. */
  readonly ephemeral: Payload[];
};

const largestBody = 1024 * 1024;

export async function answerRest(
  request: IncomingMessage,
  response: ServerResponse,
  parts: RestParts,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://loopback');
  if (pathname.startsWith('/attachments/')) return sendFile(response, pathname, parts);
  const [, path] = /^\/api\/v10(\/.*)$/.exec(pathname) ?? [];
  const found = path === undefined ? undefined : findRoute(request.method ?? '', path);
  if (!found || path === undefined) return refuse(response, new DiscordRefusal(404, 0, '404: Not Found'));
  const { route, ids, answer } = found;
  // The answer to an interaction is authorized by the interaction's own token.
  const isOpen = openRoutes.has(route);
  if (!isOpen && request.headers.authorization !== `Bot ${parts.token}`)
    return refuse(response, new DiscordRefusal(401, 0, '401: Unauthorized'));
  const payload = await readPayload(request);
  const call: DiscordCall = { route, path, payload, at: Date.now() };
  parts.onCall(call);
  const proceed = () => {
    const result = answer({ ids, payload, query: searchParams, parts });
    parts.onChange();
    return result;
  };
  try {
    const result = parts.intercept(call, response, proceed);
    if (!response.writableEnded) sendJson(response, result === undefined ? 204 : 200, result);
  } catch (error) {
    if (!(error instanceof DiscordRefusal)) throw error;
    refuse(response, error);
  }
}

type RouteCall = {
  readonly ids: readonly string[];
  readonly payload: Payload;
  readonly query: URLSearchParams;
  readonly parts: RestParts;
};

/** Undefined becomes 204. */
type RouteAnswer = (call: RouteCall) => unknown;

const sendRoute: DiscordRoute = 'POST /channels/:id/messages';
const callbackRoute: DiscordRoute = 'POST /interactions/:id/:token/callback';
const followUpRoute: DiscordRoute = 'POST /webhooks/:id/:token';
const originalRoute: DiscordRoute = 'PATCH /webhooks/:id/:token/messages/@original';
const openRoutes: ReadonlySet<DiscordRoute> = new Set([callbackRoute, followUpRoute, originalRoute]);

function interactionOf(token: string, { interactions }: RestParts): Interaction {
  const interaction = interactions.get(token);
  if (!interaction) throw new DiscordRefusal(404, 10_062, 'Unknown interaction');
  return interaction;
}

const routes: Readonly<Record<DiscordRoute, RouteAnswer>> = {
  'GET /gateway/bot': ({ parts }) => ({
    url: parts.gatewayUrl(),
    shards: 1,
    session_start_limit: { total: 1_000, remaining: 999, reset_after: 14_400_000, max_concurrency: 1 },
  }),
  'GET /users/@me': ({ parts }) => wireUser(parts.channels.bot),
  'PUT /applications/:id/commands': ({ payload }) => payload,
  'GET /channels/:id': ({ ids: [id = ''], parts }) => parts.channels.channel(id),
  'GET /channels/:id/messages': ({ ids: [id = ''], query, parts }) =>
    parts.channels
      .list(id, { after: query.get('after') ?? undefined, limit: Number(query.get('limit') ?? 50) })
      .map((message) => parts.channels.wire(message)),
  [sendRoute]: ({ ids: [id = ''], payload, parts }) => {
    const { message, isNew } = parts.channels.send(id, payload);
    if (isNew) parts.onSent(message);
    return { ...parts.channels.wire(message), nonce: payload['nonce'] };
  },
  'PATCH /channels/:id/messages/:message': ({ ids: [id = '', message = ''], payload, parts }) =>
    parts.channels.wire(parts.channels.edit(id, message, payload)),
  'DELETE /channels/:id/messages/:message': ({ ids: [id = '', message = ''], parts }) =>
    parts.channels.remove(id, message),
  'POST /channels/:id/typing': ({ ids: [id = ''], parts }) => void parts.channels.channel(id),
  [callbackRoute]: ({ ids: [, token = ''], payload, parts }) => {
    const interaction = interactionOf(token, parts);
    if (interaction.callback !== undefined)
      throw new DiscordRefusal(400, 40_060, 'Interaction has already been acknowledged.');
    interaction.callback = payload;
    const { type, data } = payload as { type?: number; data?: Payload };
    if (type === 4 && data) interaction.ephemeral.push(data);
  },
  [followUpRoute]: ({ ids: [, token = ''], payload, parts }) => {
    interactionOf(token, parts).ephemeral.push(payload);
    return { id: parts.channels.snowflakes.next() };
  },
  [originalRoute]: ({ ids: [, token = ''], payload, parts }) => {
    const { ephemeral } = interactionOf(token, parts);
    ephemeral[0] = { ...ephemeral[0], ...payload };
    return { id: parts.channels.snowflakes.next() };
  },
};

const patterns = (Object.entries(routes) as [DiscordRoute, RouteAnswer][]).map(([route, answer]) => {
  const [method = '', path = ''] = route.split(' ');
  return { route, answer, method, pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '([^/]+)')}$`) };
});

function findRoute(method: string, path: string) {
  for (const { pattern, ...known } of patterns) {
    const match = known.method === method ? pattern.exec(path) : null;
    if (match) return { ...known, ids: match.slice(1) };
  }
  return undefined;
}

async function readPayload(request: IncomingMessage): Promise<Payload> {
  const bytes = await readBody(request, largestBody);
  return bytes.length === 0 ? {} : (JSON.parse(bytes.toString()) as Payload);
}

function sendFile(response: ServerResponse, path: string, { files }: RestParts): void {
  const file = files.find((known) => known.path === path);
  if (!file) return refuse(response, new DiscordRefusal(404, 0, '404: Not Found'));
  response.writeHead(200, { 'content-type': file.type, 'content-length': file.bytes.length });
  response.end(file.bytes);
}

function refuse(response: ServerResponse, { status, code, message, errors }: DiscordRefusal): void {
  sendJson(response, status, { message, code, ...(errors && { errors }) });
}
