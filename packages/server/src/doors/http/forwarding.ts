// Forwards requests for a session or folder on another machine to the server there: with bodies, streams and upgrades
// unchanged, on behalf of the person whose credentials were checked here.
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { ParleyError } from '@parley/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createOutgoing } from '../../basics/outgoing.ts';
import { type Actor, isForwarded } from '../../domain/access.ts';
import type { Machines } from '../../domain/machines.ts';
import { type OtherServer, serverDistrustsUs } from '../../domain/ownership.ts';
import { toSessionId } from '../session-id.ts';
import type { App } from './app.ts';
import type { OpenRequests } from './streams/open-requests.ts';
import type { Upgrade, Upgrades } from './upgrades.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * What the request needs that only one machine has: the session in its path, or the folder in its query or body. A
     * body can also name a session to continue, and both can name the machine.
     */
    needs?: 'session' | 'folder';
  }
}

export interface ForwardingParts {
  readonly machines: Machines;
  readonly upgrades: Pick<Upgrades, 'find'>;
  readonly requests: OpenRequests;
}

/** Request headers. Credentials stay here, and so does everything that only concerns this connection. */
const passedOn = [
  'accept',
  'accept-language',
  'content-type',
  'idempotency-key',
  'last-event-id',
  'range',
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-protocol',
];
const ofOneConnection = new Set(['connection', 'keep-alive', 'transfer-encoding']);
/** Servers reach each other without a proxy. */
const direct = createOutgoing();
/** A server that takes longer to begin its answer is treated as unreachable. */
const answerMs = 30_000;
/** Longer than the pause between two pings. */
const silentMs = 75_000;

export function forwardToMachines(app: App, parts: ForwardingParts): void {
  app.addHook('preHandler', async (request, reply) => {
    const server = await serverFor(request, parts.machines);
    if (!server) return undefined;
    await forward(server, request, reply, parts);
    return reply;
  });
}

/** Returns what only other servers may send. Throws `invalid` if somebody else sent it. */
export function onlyForwarded<T>(actor: Actor, given: T | undefined): T | undefined {
  if (given === undefined || isForwarded(actor)) return given;
  throw new ParleyError('invalid', 'Only other servers of the cluster may send `forwarded` and `settings`.');
}

async function serverFor(request: FastifyRequest, machines: Machines): Promise<OtherServer | undefined> {
  const { needs } = request.routeOptions.config;
  if (needs === undefined || isForwarded(request.actor)) return undefined;
  const wanted = { ...fieldsOf(request.query), ...fieldsOf(request.body), ...fieldsOf(request.params) };
  if (needs === 'session') return machines.serverOfSession(request.actor, toSessionId(wanted.id));
  if (wanted.resumeId !== undefined)
    return machines.serverOfSession(request.actor, toSessionId(wanted.resumeId));
  if (wanted.machine !== undefined) return machines.serverOfMachine(wanted.machine);
  const folder = wanted.workingDir ?? wanted.path;
  return folder === undefined ? undefined : machines.serverOfFolder(request.actor, folder);
}

interface Wanted {
  readonly id?: string;
  readonly resumeId?: string;
  readonly machine?: string;
  readonly workingDir?: string;
  readonly path?: string;
}

/** The route's schema has already checked these fields. */
function fieldsOf(source: unknown): Wanted {
  return typeof source === 'object' && source !== null && !(source instanceof Readable) ? source : {};
}

async function forward(
  server: OtherServer,
  request: FastifyRequest,
  reply: FastifyReply,
  { machines, upgrades, requests }: ForwardingParts,
): Promise<void> {
  const upgrade = upgrades.find(request.raw);
  const signal = upgrade ? requests.open('websocket', reply, upgrade.socket) : requests.open('json', reply);
  machines.forwarded(upgrade ? 'upgrade' : 'request');
  const { method, url: path, ip: address } = request;
  const headers = {
    ...Object.fromEntries(
      passedOn.flatMap((name) => {
        const value = request.headers[name];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
    ...(upgrade && { connection: 'Upgrade', upgrade: 'websocket' }),
    ...machines.signedHeaders(request.actor, { method, path, address }),
  };
  const url = new URL(`${server.url.replace(/\/$/, '')}${path}`);
  const outgoing = direct.request(url, { method, headers, signal });
  sendBody(outgoing, request.body);
  const { response, upgraded } = await answerTo(outgoing);
  if (response.statusCode === 401 || response.statusCode === 421) {
    response.resume();
    throw response.statusCode === 401 ? serverDistrustsUs : noAnswer;
  }
  reply.hijack();
  if (upgrade && upgraded) {
    reply.raw.detachSocket(upgrade.socket as Socket);
    connect(upgrade, upgraded, response, signal);
    return;
  }
  reply.raw.writeHead(response.statusCode ?? 502, headersOf(response));
  reply.raw.flushHeaders();
  // If one side ends early, so does the other.
  pipeline(response, reply.raw, () => undefined);
}

function sendBody(outgoing: ClientRequest, body: unknown): void {
  if (body === undefined || body === null) {
    outgoing.removeHeader('content-type');
    outgoing.end();
  } else if (body instanceof Readable) {
    pipeline(body, outgoing, () => undefined);
  } else {
    outgoing.end(JSON.stringify(body));
  }
}

interface Answer {
  readonly response: IncomingMessage;
  /** Set if the connection was upgraded. */
  readonly upgraded?: Upgrade;
}

function answerTo(outgoing: ClientRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    outgoing.setTimeout(answerMs, () => outgoing.destroy());
    outgoing.once('response', (response) => {
      outgoing.setTimeout(silentMs);
      resolve({ response });
    });
    outgoing.once('upgrade', (response, socket, head) => resolve({ response, upgraded: { socket, head } }));
    // Stays after the answer, when it no longer has an effect, because an error without a listener would be thrown.
    outgoing.on('error', () => reject(noAnswer));
  });
}

/** Passes WebSocket frames on unchanged, at the pace of their readers. */
function connect(
  { socket: client, head: early }: Upgrade,
  { socket: server, head }: Upgrade,
  { rawHeaders, socket }: IncomingMessage,
  signal: AbortSignal,
): void {
  const lines = [...pairsOf(rawHeaders)].map(([name, value]) => `${name}: ${value}\r\n`);
  client.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`);
  if (head.length > 0) client.write(head);
  if (early.length > 0) server.write(early);
  socket.setTimeout(silentMs, () => socket.destroy());
  socket.setNoDelay(true);
  const end = () => {
    client.destroy();
    server.destroy();
  };
  signal.addEventListener('abort', end, { once: true });
  pipeline(server, client, server, end);
}

function headersOf({ rawHeaders }: IncomingMessage): string[] {
  return [...pairsOf(rawHeaders)].flatMap((pair) => (ofOneConnection.has(pair[0].toLowerCase()) ? [] : pair));
}

function* pairsOf(rawHeaders: readonly string[]): Generator<[string, string]> {
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    yield [rawHeaders[at] ?? '', rawHeaders[at + 1] ?? ''];
  }
}

const noAnswer = new ParleyError(
  'unavailable',
  'The server that has this session is not answering. Try again in a minute, or check that all servers are running.',
  { retryAfterSeconds: 1 },
);
