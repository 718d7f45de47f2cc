// A conversation as a file. Whoever may read it may export it.
import { Readable } from 'node:stream';
import { ParleyError } from '@parley/protocol';
import { type Actor, personOf } from '../../../domain/access.ts';
import type { Clock } from '../../../domain/clock.ts';
import { type CodeSessions, openSession } from '../../../domain/code-sessions.ts';
import type { Gateway } from '../../../domain/gateway.ts';
import type { People } from '../../../domain/people.ts';
import { withoutReplaced } from '../../../domain/replaced-turns.ts';
import { toSessionId } from '../../session-id.ts';
import type { App } from '../app.ts';
import type { AssistantEntry } from '../household/routes.ts';
import { asDownload } from '../sessions/download.ts';
import { onMachine } from '../sessions/routes.ts';
import type { ExportFormat, ExportHead } from './format.ts';
import { exportPolicy, htmlExport } from './html.ts';
import { jsonExport } from './json.ts';
import { markdownExport } from './markdown.ts';
import { type ExportItem, itemsOfPages, itemsOfTurns, type NameOf, selected } from './read-items.ts';
import * as schemas from './schemas.ts';
import { exportWords } from './words.ts';

export interface ExportServices {
  readonly gateway: Gateway;
  readonly assistants: () => readonly AssistantEntry[];
  /** Absent where that engine is switched off. */
  readonly codeSessions: CodeSessions | undefined;
  readonly people: Pick<People, 'displayNameOf'>;
  readonly clock: Clock;
}

const formats: Readonly<Record<schemas.ExportFormatName, ExportFormat>> = {
  md: markdownExport,
  json: jsonExport,
  html: htmlExport,
};

/** Lines of a transcript that are in memory at once. */
const pageSize = 200;

export function exportRoutes(app: App, services: ExportServices): void {
  const { gateway, codeSessions, assistants, people, clock } = services;

  app.get(
    '/api/sessions/:id/export',
    { config: onMachine, schema: schemas.exportSession },
    async (request, reply) => {
      const { actor, params, query } = request;
      const session = await openSession(gateway, codeSessions, actor, toSessionId(params.id));
      const format = formats[query.format];
      const isCode = session.engine === 'claude-code';
      const title = isCode ? (await codeSessions?.get(actor, session.id))?.title : session.title;
      const head: ExportHead = {
        title: title || 'Parley',
        assistant: isCode ? 'Claude' : labelOf(session.assistant),
        ...(isCode && { workingDir: session.settings.workingDir }),
        createdAt: session.createdAt,
        exportedAt: clock.now(),
        words: exportWords[query.language],
      };
      const nameOf: NameOf = (author = session.person) =>
        author === personOf(actor) ? undefined : people.displayNameOf(author);
      const items = isCode
        ? pagesOf(actor, session.id, nameOf)
        : itemsOfTurns(await turnsOf(actor, session.id), nameOf);
      const wanted = new Set(query.turns?.split(',').filter((id) => id !== ''));
      const text = rendered(format, head, selected(items, wanted));
      if (query.show) reply.header('content-security-policy', exportPolicy);
      else reply.header('content-disposition', asDownload(`${head.title.slice(0, 80)}.${format.ending}`));
      return reply.type(format.type).send(Readable.from(text));
    },
  );

  function labelOf(assistant: string): string {
    return assistants().find(({ name }) => name === assistant)?.label ?? assistant;
  }

  async function turnsOf(actor: Actor, id: string) {
    return withoutReplaced(await gateway.turns(actor, id)).filter(({ startedAt }) => startedAt !== undefined);
  }

  function pagesOf(actor: Actor, id: string, nameOf: NameOf) {
    return itemsOfPages(async (before) => {
      if (!codeSessions) throw new ParleyError('unavailable', 'Claude Code is switched off on this server.');
      const page = await codeSessions.past(actor, id, {
        limit: pageSize,
        ...(before !== undefined && { before }),
      });
      return { entries: page.entries, before: page.before ?? null };
    }, nameOf);
  }
}

async function* rendered(format: ExportFormat, head: ExportHead, items: AsyncIterable<ExportItem>) {
  yield format.begin(head);
  let isFirst = true;
  for await (const item of items) {
    yield format.item(item, head, isFirst);
    isFirst = false;
  }
  yield format.end(head);
}
