// LinkedIn as a loopback service: consent page, tokens, posts and comments, as strict as the real one.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listenOnLoopback, readBody, sendJson } from '../loopback-server.ts';
import { Feed } from './feed.ts';
import { type Member, Members } from './members.ts';

export type LinkedInServiceOptions = {
  readonly port?: number;
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Whether an access token comes with a refresh token, which LinkedIn grants to some apps only. */
  readonly refreshTokens?: boolean;
  /** Who consents on the consent page. */
  readonly member?: Member;
  /** Whether the member consents; always by default. */
  readonly consents?: () => boolean;
  /** Sees every REST call first, and may refuse it. */
  readonly intercept?: (request: LinkedInRequest) => LinkedInRefusal | undefined;
};

export type LinkedInRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
};

export type LinkedInRefusal = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
};

export type LinkedInService = {
  /** Serves both `https://api.linkedin.com` and `https://www.linkedin.com`. */
  readonly url: string;
  readonly host: string;
  readonly feed: Feed;
  readonly members: Members;
  /** Makes an access token valid. */
  addToken(accessToken: string, member?: Member): void;
  close(): Promise<void>;
};

const bodyCap = 1024 * 1024;
const oldestVersion = 202_511;
const mia: Member = { id: 'mia-782', name: 'Mia Sample' };

export async function startLinkedInService(options: LinkedInServiceOptions = {}): Promise<LinkedInService> {
  const { clientId = 'client', clientSecret = 'client-secret', member = mia, consents } = options;
  const members = new Members(options.refreshTokens ?? true);
  const feed = new Feed();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://linkedin.invalid');
    const raw = (await readBody(request, bodyCap)).toString();
    const method = request.method ?? 'GET';
    if (url.pathname === '/oauth/v2/authorization') return consentPage(response, url);
    if (url.pathname === '/oauth/v2/accessToken') return tokenEndpoint(response, new URLSearchParams(raw));

    const body = parseJson(raw);
    const refusal = options.intercept?.({ method, path: url.pathname, headers: request.headers, body });
    if (refusal !== undefined) return refuse(response, refusal.status, undefined, refusal.headers);
    const caller = members.byToken(request.headers.authorization);
    if (caller === undefined) return refuse(response, 401);
    if (method === 'GET' && url.pathname === '/v2/userinfo') {
      return sendJson(response, 200, { sub: caller.id, name: caller.name });
    }
    const version = String(request.headers['linkedin-version'] ?? '');
    if (!/^\d{6}$/.test(version) || Number(version) < oldestVersion) return refuse(response, 426);
    if (request.headers['x-restli-protocol-version'] !== '2.0.0') {
      return refuse(response, 400, 'Invalid protocol version');
    }
    return restApi(response, { method, url, body, author: `urn:li:person:${caller.id}` });
  }

  function consentPage(response: ServerResponse, url: URL): void {
    const asked = url.searchParams;
    const back = asked.get('redirect_uri') ?? '';
    if (asked.get('client_id') !== clientId || asked.get('response_type') !== 'code' || !URL.canParse(back)) {
      return refuse(response, 400, 'The client or the redirect address is unknown');
    }
    const target = new URL(back);
    target.searchParams.set('state', asked.get('state') ?? '');
    if (consents?.() ?? true) target.searchParams.set('code', members.newCode(member, back));
    else target.searchParams.set('error', 'user_cancelled_authorize');
    response.writeHead(302, { location: target.href }).end();
  }

  function tokenEndpoint(response: ServerResponse, form: URLSearchParams): void {
    if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret) {
      return sendJson(response, 401, {
        error: 'invalid_client',
        error_description: 'Client authentication failed',
      });
    }
    const answer =
      form.get('grant_type') === 'refresh_token'
        ? members.refresh(form.get('refresh_token') ?? '')
        : members.redeem(form.get('code') ?? '', form.get('redirect_uri') ?? '');
    if (answer === undefined) return sendJson(response, 400, { error: 'invalid_request' });
    return sendJson(response, 200, answer);
  }

  function restApi(response: ServerResponse, call: RestCall): void {
    const { method, url, body, author } = call;
    if (method === 'POST' && url.pathname === '/rest/posts') {
      const { author: named, commentary, visibility, lifecycleState } = body as Record<string, unknown>;
      if (typeof commentary !== 'string' || visibility !== 'PUBLIC' || lifecycleState !== 'PUBLISHED') {
        return refuse(response, 422, 'commentary, visibility and lifecycleState are required');
      }
      if (named !== author) return refuse(response, 403);
      const post = feed.publish(author, commentary);
      if (post === undefined) return refuse(response, 422, 'Content is a duplicate of an earlier post');
      response.writeHead(201, { 'x-restli-id': post.urn }).end();
      return;
    }
    const urn = /^\/rest\/socialActions\/([^/]+)\/comments$/.exec(url.pathname)?.[1];
    // The real service rejects an unencoded parenthesis or comma in the path.
    if (urn === undefined || /[(),]/.test(urn)) return refuse(response, 404);
    return comments(response, call, decodeURIComponent(urn));
  }

  function comments(response: ServerResponse, { method, url, body, author }: RestCall, urn: string): void {
    if (!feed.has(urn)) return refuse(response, 404);
    if (method === 'GET') {
      const start = Number(url.searchParams.get('start') ?? 0);
      const count = Number(url.searchParams.get('count') ?? 10);
      const all = feed.commentsOn(urn);
      const elements = all.slice(start, start + count);
      return sendJson(response, 200, { elements, paging: { start, count, total: all.length, links: [] } });
    }
    const { actor, object, message, parentComment } = body as CommentBody;
    if (actor !== author) return refuse(response, 403);
    if (typeof message?.text !== 'string' || object === undefined || !feed.has(object)) {
      return refuse(response, 422, 'object and message are required');
    }
    if (parentComment !== (urn.startsWith('urn:li:comment:') ? urn : undefined)) {
      return refuse(response, 422, 'parentComment does not match the address');
    }
    const comment = feed.comment(object, author, message.text, parentComment);
    sendJson(response, 201, comment, { 'x-restli-id': comment.id });
  }

  const server = await listenOnLoopback((request, response) => {
    handle(request, response).catch(() => refuse(response, 500));
  }, options.port);
  return {
    url: server.url,
    host: new URL(server.url).host,
    feed,
    members,
    addToken: (accessToken, owner = member) => members.add(owner, accessToken),
    close: () => server.close(),
  };
}

type RestCall = {
  readonly method: string;
  readonly url: URL;
  readonly body: unknown;
  readonly author: string;
};

type CommentBody = {
  readonly actor?: string;
  readonly object?: string;
  readonly message?: { readonly text?: unknown };
  readonly parentComment?: string;
};

/** LinkedIn's code, number and message for each status. */
const refusals: Readonly<Record<number, readonly [string, number, string]>> = {
  400: ['ILLEGAL_ARGUMENT', 100, 'Illegal argument'],
  401: ['INVALID_ACCESS_TOKEN', 65_600, 'Invalid access token'],
  403: ['ACCESS_DENIED', 100, 'Not enough permissions to access this resource'],
  404: ['NOT_FOUND', 0, 'The requested entity could not be found'],
  422: ['UNPROCESSABLE_ENTITY', 100, 'Unprocessable entity'],
  426: ['NONEXISTENT_VERSION', 0, 'Requested version is not active'],
  429: ['TOO_MANY_REQUESTS', 101, 'Resource level throttle limit for calls to this resource is reached.'],
};

function refuse(
  response: ServerResponse,
  status: number,
  detail?: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const [code, serviceErrorCode, message] = refusals[status] ?? ['SERVER_ERROR', 0, 'Internal server error'];
  sendJson(response, status, { status, code, serviceErrorCode, message: detail ?? message }, headers);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
