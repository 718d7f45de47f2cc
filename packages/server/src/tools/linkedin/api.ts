// The parts of LinkedIn's REST API that the tools need: posts and comments.
import { type ErrorCode, ParleyError, type PersonName } from '@parley/protocol';
import { z } from 'zod';
import { parseJson } from '../../content/parse-json.ts';
import { retryAfterMs, waitText } from '../../content/waiting-time.ts';
import type { HttpResponse, SendHttp } from '../../domain/http.ts';
import { type Account, type Accounts, ended } from './accounts.ts';
import { encodeUrn } from './urns.ts';

export interface LinkedInApiOptions {
  readonly accounts: Accounts;
  readonly http: SendHttp;
  readonly apiRoot: string;
  /** The month of the API version, such as 202606. */
  readonly version: string;
}

interface Comment {
  readonly urn: string;
  readonly author: string;
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number | undefined;
}

export interface CommentPage {
  readonly comments: readonly Comment[];
  readonly total: number | undefined;
}

const Comments = z.object({
  elements: z.array(
    z.object({
      id: z.string().optional(),
      commentUrn: z.string().optional(),
      object: z.string().optional(),
      actor: z.string().default('somebody'),
      created: z.object({ time: z.number().optional() }).optional(),
      message: z.object({ text: z.string().default('') }).optional(),
    }),
  ),
  paging: z.object({ total: z.number().optional() }).optional(),
});
const Created = z.object({ commentUrn: z.string().optional(), id: z.string().optional() });

interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: (author: string) => object;
  readonly signal: AbortSignal;
}

export class LinkedInApi {
  readonly #options: LinkedInApiOptions;

  constructor(options: LinkedInApiOptions) {
    this.#options = options;
  }

  /** Returns the URN of the post. */
  async post(person: PersonName, text: string, signal: AbortSignal): Promise<string> {
    const response = await this.#call(person, {
      method: 'POST',
      path: '/rest/posts',
      body: (author) => ({
        author,
        commentary: toCommentary(text),
        visibility: 'PUBLIC',
        distribution: {
          feedDistribution: 'MAIN_FEED',
          targetEntities: [],
          thirdPartyDistributionChannels: [],
        },
        lifecycleState: 'PUBLISHED',
        isReshareDisabledByAuthor: false,
      }),
      signal,
    });
    return response.headers.get('x-restli-id') ?? 'a post without a name';
  }

  async comments(
    person: PersonName,
    postUrn: string,
    count: number,
    signal: AbortSignal,
  ): Promise<CommentPage> {
    const path = `/rest/socialActions/${encodeUrn(postUrn)}/comments?start=0&count=${count}`;
    const response = await this.#call(person, { method: 'GET', path, signal });
    const { elements, paging } = parse(Comments, response);
    const comments = elements.map(({ id, commentUrn, object, actor, created, message }) => ({
      urn: commentUrn ?? `urn:li:comment:(${object ?? postUrn},${id ?? ''})`,
      author: actor,
      text: message?.text ?? '',
      at: created?.time,
    }));
    return { comments, total: paging?.total };
  }

  /** Returns the URN of the comment. With a parent, it is a reply. */
  async comment(
    person: PersonName,
    { postUrn, text, parent }: { readonly postUrn: string; readonly text: string; readonly parent?: string },
    signal: AbortSignal,
  ): Promise<string> {
    const response = await this.#call(person, {
      method: 'POST',
      path: `/rest/socialActions/${encodeUrn(parent ?? postUrn)}/comments`,
      body: (actor) => ({
        actor,
        object: postUrn,
        message: { text },
        ...(parent !== undefined && { parentComment: parent }),
      }),
      signal,
    });
    const created = Created.safeParse(parseJson(response.body));
    const id = response.headers.get('x-restli-id') ?? (created.success ? created.data.id : undefined);
    return (
      (created.success ? created.data.commentUrn : undefined) ?? `urn:li:comment:(${postUrn},${id ?? ''})`
    );
  }

  /** Renews a login once when LinkedIn no longer accepts it; the refused call had no effect. */
  async #call(person: PersonName, call: Call): Promise<HttpResponse> {
    const { accounts } = this.#options;
    const account = await accounts.of(person, call.signal);
    const response = await this.#send(account, call);
    if (response.status !== 401) return checked(response);
    const renewed = await accounts.renewed(person, account.accessToken, call.signal);
    return checked(await this.#send(renewed, call));
  }

  #send({ accessToken, author }: Account, { method, path, body, signal }: Call): Promise<HttpResponse> {
    const { http, apiRoot, version } = this.#options;
    return http({
      url: new URL(path, apiRoot).href,
      method,
      headers: {
        authorization: `Bearer ${accessToken}`,
        'linkedin-version': version,
        'x-restli-protocol-version': '2.0.0',
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body(author)) }),
      signal,
    });
  }
}

function checked(response: HttpResponse): HttpResponse {
  if (response.status >= 200 && response.status < 300) return response;
  throw toProblem(response);
}

function parse<T>(schema: z.ZodType<T>, response: HttpResponse): T {
  const parsed = schema.safeParse(parseJson(response.body));
  if (parsed.success) return parsed.data;
  throw new ParleyError('unavailable', 'LinkedIn returned an answer that Parley cannot read.');
}

/** LinkedIn's "little" text format: unescaped, a text could lose characters or mention somebody. Hashtags stay. */
function toCommentary(text: string): string {
  return text.replaceAll(/[\\|{}@[\]()<>*_~]|#(?![\p{L}\p{N}])/gu, String.raw`\$&`);
}

function toProblem({ status, headers, body }: HttpResponse): ParleyError {
  const problem = (code: ErrorCode, message: string): ParleyError => new ParleyError(code, message);
  const said = saidBy(body);
  switch (status) {
    case 400:
    case 422:
      return /duplicate/i.test(said)
        ? problem('conflict', 'LinkedIn already has exactly this text, so it was not published again.')
        : problem('invalid', `LinkedIn refused this (status ${status})${reason(said)}.`);
    case 401:
      return problem('unavailable', ended);
    case 403:
      return problem(
        'forbidden',
        'The login has no permission for this on LinkedIn. Reading comments needs an app that LinkedIn has approved for it.',
      );
    case 404:
      return problem(
        'not_found',
        'LinkedIn has no such post or comment, or it is not visible to this person.',
      );
    case 426:
      return problem(
        'unavailable',
        'LinkedIn no longer supports this version of its API. Set linkedin.version to a recent month, such as 202606.',
      );
    case 429:
      return problem(
        'rate_limited',
        `LinkedIn's rate limit is reached. Try again ${later(headers.get('retry-after'))}.`,
      );
    default:
      return problem('unavailable', `LinkedIn has an internal problem (status ${status}). Try again later.`);
  }
}

function later(retryAfter: string | null): string {
  const ms = retryAfterMs(retryAfter);
  return ms === undefined
    ? 'tomorrow, because most of its limits are per day'
    : waitText(Math.ceil(ms / 1_000));
}

function reason(said: string): string {
  return said === '' ? '' : `: ${said}`;
}

/** LinkedIn's own message, cut and without special characters. */
function saidBy(body: Uint8Array): string {
  const { data } = z.object({ message: z.string() }).safeParse(parseJson(body));
  return data?.message.replaceAll(/[^\p{L}\p{N}\p{P} ]/gu, ' ').slice(0, 300) ?? '';
}
