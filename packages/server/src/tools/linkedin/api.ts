// LinkedIn's REST API, as far as the tools need it: posts, and comments on them.
import { ParleyError, type PersonName } from '@parley/protocol';
import { z } from 'zod';
import type { HttpResponse, SendHttp } from '../../domain/http.ts';
import type { Account, Accounts } from './accounts.ts';
import { toProblem } from './api-problems.ts';
import { toCommentary } from './commentary.ts';
import { encodeUrn } from './urns.ts';

export interface LinkedInApiOptions {
  readonly accounts: Accounts;
  readonly http: SendHttp;
  readonly apiRoot: string;
  /** The month of the API that is spoken, such as 202606. */
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

  /** Gives the URN of the post. */
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

  /** Gives the URN of the comment. With a parent it is a reply. */
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
    const created = Created.safeParse(parseJson(response));
    const id = response.headers.get('x-restli-id') ?? (created.success ? created.data.id : undefined);
    return (
      (created.success ? created.data.commentUrn : undefined) ?? `urn:li:comment:(${postUrn},${id ?? ''})`
    );
  }

  /** A login that LinkedIn no longer takes is renewed once; nothing was done by then. */
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
  const parsed = schema.safeParse(parseJson(response));
  if (parsed.success) return parsed.data;
  throw new ParleyError('unavailable', 'LinkedIn gave an answer that cannot be understood.');
}

function parseJson({ body }: HttpResponse): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
