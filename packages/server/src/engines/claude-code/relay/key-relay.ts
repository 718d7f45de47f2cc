// Keeps the API key out of the program: a server on loopback holds the key and passes the program's requests on to the API.
// Each process gets its own token, which works only here and expires with the process.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addUsage, noUsage, ParleyError, type SessionId, type Usage } from '@parley/protocol';
import type { Outgoing } from '../../../basics/outgoing.ts';
import { maxCost, type Payer } from '../../../domain/budgets.ts';
import type { Logger } from '../../../domain/logger.ts';
import type { Reservation, Spending } from '../../../domain/spending.ts';
import type { Upstream, Variables } from '../program-home.ts';
import { forward, refuse } from './forward.ts';
import { isAllowed, isPaid, maxTokens, readBody } from './read-request.ts';

/** The process that asks the model, and who pays for it. */
export interface Holder {
  readonly session: SessionId;
  /** Who pays for a request. Undefined while the process waits for a session: its requests are refused then. */
  readonly chargedTo: () => ChargedTo | undefined;
  /** Called before each request with what this process has used. Returns why it may use no more. */
  readonly refusal?: (used: Usage) => string | undefined;
  /** Called for a request that was refused because a budget is used up. */
  readonly onRefused?: (reason: ParleyError) => void;
  /** Called with warnings about the person's budgets. */
  readonly onWarnings?: (warnings: readonly string[]) => void;
  /** Called once for each answer. */
  readonly onUsage?: (model: string, usage: Usage) => void;
}

export interface ChargedTo {
  readonly payer: Payer;
  readonly door: string;
}

/** How one process of the program reaches the model. */
export interface ModelAccess {
  readonly variables: Variables;
  /** Call it when the process has ended. */
  close(): void;
}

export interface KeyRelay {
  /** Resolves when it is listening. */
  start(): Promise<void>;
  /** Call `start` first. */
  open(holder: Holder): ModelAccess;
  close(): Promise<void>;
}

export interface KeyRelayOptions {
  /** If absent, the program uses its own login, and nothing is relayed. */
  readonly upstream: Upstream | undefined;
  readonly outgoing: Pick<Outgoing, 'request'>;
  readonly spending: Spending;
  readonly logger: Logger;
}

interface Grant extends Holder {
  readonly secret: Buffer;
  readonly answers: Set<ServerResponse>;
  used: Usage;
}

/** Longer than the program keeps an idle connection, so that it never sends into one that is being closed. */
const keepAliveMs = 10 * 60_000;
/** Only with this host does the program use everything that the API offers. */
const publicHost = 'api.anthropic.com';

export function createKeyRelay({ upstream, outgoing, spending, logger }: KeyRelayOptions): KeyRelay {
  const grants = new Map<string, Grant>();
  let starting: Promise<Server> | undefined;
  let port: number | undefined;
  if (!upstream) return ownLogin;
  const isPublic = new URL(upstream.baseUrl).host === publicHost;

  function grantOf({ headers }: IncomingMessage): Grant | undefined {
    const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    const [id = '', secret = ''] = token.split('.');
    const grant = grants.get(id);
    return grant && timingSafeEqual(grant.secret, digestOf(secret)) ? grant : undefined;
  }

  /** Refuses with statuses that the program does not retry. */
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const grant = grantOf(request);
    if (!grant) return refuse(response, 401, 'authentication_error', 'This token is invalid or has expired.');
    if (!isAllowed(request))
      return refuse(response, 404, 'not_found_error', 'A session can only ask models.');
    const gone = new AbortController();
    grant.answers.add(response);
    response.once('close', () => {
      grant.answers.delete(response);
      gone.abort();
    });
    const body = await readBody(request);
    if (!body)
      return refuse(response, 413, 'request_too_large', 'The request exceeds the maximum size of 32 MB.');
    const held = isPaid(request) ? await reserve(grant, body, gone.signal) : free;
    if (held instanceof ParleyError) return refuse(response, 400, 'invalid_request_error', held.message);
    forward(request, body, response, {
      ...(upstream as Upstream),
      outgoing,
      onOver: (used) => (used ? settle(grant, held, used) : held.reservation.cancel()),
      onProblem: (error) =>
        logger.warn({ err: error, session: grant.session }, 'the API could not be reached'),
    });
  }

  async function reserve(grant: Grant, body: Buffer, signal: AbortSignal): Promise<Held | ParleyError> {
    const reason = grant.refusal?.(grant.used);
    if (reason !== undefined) return new ParleyError('over_budget', reason);
    const charged = grant.chargedTo();
    if (!charged) return new ParleyError('forbidden', 'This process has no session yet.');
    const { model, ...tokens } = maxTokens(body);
    const reservation = await spending.reserve(charged.payer, maxCost(model, tokens), signal);
    if (!(reservation instanceof ParleyError)) return { reservation, door: charged.door };
    grant.onRefused?.(reservation);
    return reservation;
  }

  function settle(
    grant: Grant,
    { reservation, door }: Held,
    { model, usage }: { readonly model: string; readonly usage: Usage },
  ): void {
    grant.used = addUsage(grant.used, usage);
    grant.onUsage?.(model, usage);
    void reservation.settle({ engine: 'claude-code', door, model, usage }).then((warnings) => {
      if (warnings.length > 0) grant.onWarnings?.(warnings);
    });
  }

  return {
    async start() {
      starting ??= listen((request, response) => {
        // The program went away, or its request broke off.
        handle(request, response).catch(() => response.destroy());
      }).catch((error: unknown) => {
        starting = undefined;
        throw error;
      });
      ({ port } = (await starting).address() as AddressInfo);
    },

    open(holder) {
      if (port === undefined) throw new Error('The relay has not been started.');
      const id = randomBytes(9).toString('base64url');
      const secret = randomBytes(32).toString('base64url');
      grants.set(id, { ...holder, secret: digestOf(secret), answers: new Set(), used: noUsage });
      return {
        variables: {
          ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
          // On its screen, the program asks whether to use a key, but not whether to use a token.
          ANTHROPIC_AUTH_TOKEN: `${id}.${secret}`,
          ANTHROPIC_API_KEY: undefined,
          _CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL: isPublic ? '1' : undefined,
        },
        close() {
          const grant = grants.get(id);
          grants.delete(id);
          for (const answer of grant?.answers ?? []) answer.destroy();
        },
      };
    },

    async close() {
      grants.clear();
      const server = await starting?.catch(() => undefined);
      server?.closeAllConnections();
      await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
    },
  };
}

interface Held {
  readonly reservation: Reservation;
  readonly door: string;
}

/** For requests that cost nothing. */
const free: Held = { reservation: { settle: async () => [], cancel: () => undefined }, door: '' };

const ownLogin: KeyRelay = {
  start: () => Promise.resolve(),
  open: () => ({ variables: {}, close() {} }),
  close: () => Promise.resolve(),
};

function listen(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer({ keepAliveTimeout: keepAliveMs, requestTimeout: 0 }, handle);
    server.once('error', reject);
    // Must not keep this process alive.
    server.listen(0, '127.0.0.1', () => resolve(server.unref()));
  });
}

/** Hashes secrets to one length, so that they can be compared in constant time. */
function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
