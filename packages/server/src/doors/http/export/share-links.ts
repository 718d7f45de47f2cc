// `/api/sessions/:id/links` and `/shared/:secret`: links that show some turns of a session to whoever has them. A link that
// is unknown, expired, revoked or no longer allowed always gets the same answer.
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  ErrorBody,
  NewShareLink,
  ParleyError,
  type Sentence,
  type SessionId,
  ShareLinkInfo,
  say,
  type TurnId,
} from '@parley/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Access, Actor } from '../../../domain/access.ts';
import type { AuditLog } from '../../../domain/audit-log.ts';
import type { People } from '../../../domain/people.ts';
import type { ShareLink, ShareLinkStore } from '../../../domain/share-links.ts';
import type { App } from '../app.ts';
import { bodyOf, longestId, params } from '../openapi/fields.ts';
import { response, responses } from '../openapi/responses.ts';
import { hashSecret } from '../policy/secret-hash.ts';
import { ownSession } from '../sessions/shares.ts';
import { sendPage } from '../web-app/page.ts';
import { textsFor } from '../web-app/page-texts.ts';
import {
  type ExportedConversation,
  type ExportServices,
  loadHtmlExport,
  openConversation,
  rendered,
} from './conversation.ts';
import { exportPolicy } from './format.ts';
import { masked, maskedHead } from './masked.ts';
import { selected } from './read-items.ts';
import { ExportLanguage, exportWords } from './words.ts';

export interface ShareLinkServices extends ExportServices {
  readonly links: ShareLinkStore;
  /** Whether an owner of this server allows them. */
  readonly allowsLinks: () => boolean;
  readonly access: Access;
  readonly people: People;
  readonly audit: AuditLog;
  readonly basePath: string;
}

const tags = ['sessions'];
const dayMs = 24 * 60 * 60 * 1_000;
const maxLinks = 20;
const maxTurns = 2_000;
const LinkList = z.object({ links: z.array(ShareLinkInfo), allowed: z.boolean() });

const create = {
  tags,
  summary: 'Create a link that shows turns of a session to whoever has it',
  description: 'What is said later is not shown. The link is in the answer only: its secret is not stored.',
  params,
  body: z.strictObject(
    {
      turns: z.array(z.string().max(longestId)).min(1).max(maxTurns).optional(),
      days: z.int().min(1).max(90).default(7),
      language: ExportLanguage.default('en'),
      person: z.string().optional(),
    },
    { error: bodyOf('turns, days and language') },
  ),
  response: responses(NewShareLink, ErrorBody),
};
const show = {
  tags,
  summary: 'The page of a link',
  params: z.object({ secret: z.string().max(200) }),
  response: { 200: response('The page.', 'text/html', z.unknown()) },
};

export function shareLinkRoutes(app: App, services: ShareLinkServices): void {
  const { links, people, clock, audit } = services;

  app.get(
    '/api/sessions/:id/links',
    { schema: { tags, summary: 'The links of a session', params, response: responses(LinkList, ErrorBody) } },
    async ({ actor, person, params: { id } }) => listOf(await ownSession(services, actor, id), person),
  );

  app.post(
    '/api/sessions/:id/links',
    { config: { right: 'share-links', grants: true }, schema: create },
    async (request) => {
      const { actor, person, body } = request;
      const session = await ownSession(services, actor, request.params.id);
      if (!services.allowsLinks()) throw notAllowed;
      if ((await links.list(session, clock.now())).length >= maxLinks) throw tooMany;
      const chosen = await chosenTurns(actor, session, body.turns);
      const secret = randomBytes(32).toString('base64url');
      const createdAt = clock.now();
      const link: ShareLink = {
        id: randomBytes(9).toString('base64url'),
        sha256: hashSecret(secret),
        session,
        person,
        ...chosen,
        language: body.language,
        createdAt,
        expiresAt: createdAt + body.days * dayMs,
      };
      await links.add(link);
      record('link.created', request, session, say`${link.turns.length} turns, ${body.days} days`);
      return { ...toInfo(link), path: `${services.basePath}/shared/${secret}` };
    },
  );

  app.delete(
    '/api/sessions/:id/links/:link',
    {
      schema: {
        tags,
        summary: 'Revoke a link',
        params: params.extend({ link: z.string().max(longestId) }),
        response: responses(LinkList, ErrorBody),
      },
    },
    async (request) => {
      const session = await ownSession(services, request.actor, request.params.id);
      if (!(await links.remove(session, request.params.link)))
        throw new ParleyError('not_found', 'There is no such link.');
      record('link.revoked', request, session, say`${request.params.link}`);
      return listOf(session, request.person);
    },
  );

  app.get('/shared/:secret', { config: { access: 'open' }, schema: show }, async (request, reply) => {
    reply.header('x-robots-tag', 'noindex, nofollow, noarchive');
    const link = await links.find(hashSecret(request.params.secret), clock.now());
    const conversation = link && (await conversationOf(link));
    if (!link || !conversation) return sendNothing(request, reply);
    const head = maskedHead(conversation.head, link, people.displayNameOf(link.person));
    const format = await loadHtmlExport();
    const items = masked(selected(conversation.items, new Set(link.turns)));
    return reply
      .header('content-security-policy', exportPolicy)
      .type(format.type)
      .send(Readable.from(rendered(format, head, items)));
  });

  /** Undefined if whoever made the link may no longer share the session. */
  async function conversationOf({
    person,
    session,
    language,
  }: ShareLink): Promise<ExportedConversation | undefined> {
    if (!services.allowsLinks() || !people.may(person, 'share-links')) return undefined;
    try {
      await ownSession(services, person, session);
      return await openConversation(services, person, session, exportWords[language]);
    } catch (error) {
      if (ParleyError.from(error).code === 'internal') throw error;
      return undefined;
    }
  }

  async function chosenTurns(
    actor: Actor,
    session: SessionId,
    wanted: readonly TurnId[] | undefined,
  ): Promise<Pick<ShareLink, 'turns' | 'isWhole'>> {
    const { items } = await openConversation(services, actor, session, exportWords.en);
    const all: TurnId[] = [];
    for await (const item of items) if (item.kind === 'prompt' && item.id !== undefined) all.push(item.id);
    const named = wanted && new Set(wanted);
    const chosen = named ? all.filter((id) => named.has(id)) : all;
    if (chosen.length === 0) throw new ParleyError('invalid', 'Choose at least one message of this session.');
    const turns = chosen.slice(-maxTurns);
    return { turns, isWhole: turns.length === all.length };
  }

  async function listOf(session: SessionId, person: string) {
    const found = await links.list(session, clock.now());
    return {
      links: found.map(toInfo),
      allowed: services.allowsLinks() && people.may(person, 'share-links'),
    };
  }

  function record(
    action: 'link.created' | 'link.revoked',
    { person, ip }: FastifyRequest,
    session: SessionId,
    detail: Sentence,
  ): void {
    audit.record({ action, person, subject: session, detail, address: ip });
  }
}

function toInfo({ id, turns, createdAt, expiresAt }: ShareLink): ShareLinkInfo {
  return { id, turns: turns.length, createdAt, expiresAt };
}

function sendNothing(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { language, linkGone, linkGoneHint } = textsFor(request);
  return sendPage(reply, 404, {
    language,
    title: linkGone,
    body: `<h1>${linkGone}</h1>\n<p>${linkGoneHint}</p>`,
  });
}

const notAllowed = new ParleyError(
  'forbidden',
  'Links are turned off on this server. Ask an owner to allow them.',
);
const tooMany = new ParleyError('busy', 'This session has too many links. Revoke one first.');
