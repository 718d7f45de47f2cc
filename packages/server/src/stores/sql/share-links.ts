// Links that show a session without a login.
import type { ShareLink, ShareLinkStore } from '../../domain/share-links.ts';
import { decodeList, encode } from './json-column.ts';
import { query, type ShareLinkRow } from './schema.ts';
import { ofNoSession } from './shares.ts';
import { all, type Database, first, run } from './work.ts';

export function createShareLinkStore(database: Database): ShareLinkStore {
  const valid = (now: number) =>
    query
      .selectFrom('share_links')
      .innerJoin('sessions', 'sessions.id', 'share_links.session_id')
      .selectAll('share_links')
      .where('share_links.expires_at', '>', now);
  return {
    async list(session, now) {
      const links = valid(now).where('share_links.session_id', '=', session);
      return (await database.read(all(links.orderBy('share_links.created_at')))).map(toLink);
    },

    async find(sha256, now) {
      const found = await database.read(first(valid(now).where('share_links.sha256', '=', sha256)));
      return found && toLink(found);
    },

    add: (link) =>
      database.durable(function* () {
        const { session, turns, isWhole, createdAt, expiresAt, ...same } = link;
        yield* run(
          query
            .deleteFrom('share_links')
            .where((where) => where.or([ofNoSession, where('expires_at', '<=', createdAt)])),
        );
        const row = {
          ...same,
          session_id: session,
          turns: encode(turns),
          is_whole: Number(isWhole),
          created_at: createdAt,
          expires_at: expiresAt,
        };
        yield* run(query.insertInto('share_links').values(row));
      }),

    remove: (session, id) =>
      database.durable(function* () {
        const link = query.deleteFrom('share_links').where('session_id', '=', session).where('id', '=', id);
        return (yield* run(link)) > 0;
      }),
  };
}

function toLink(row: ShareLinkRow): ShareLink {
  return {
    id: row.id,
    sha256: row.sha256,
    session: row.session_id,
    person: row.person,
    turns: decodeList(row.turns, { table: 'share_links', id: row.id, column: 'turns' }),
    isWhole: row.is_whole === 1,
    language: row.language === 'de' ? 'de' : 'en',
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
