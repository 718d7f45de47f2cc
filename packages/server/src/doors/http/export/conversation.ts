// Reads a session as the items of an export, for every format and for share links.
import { type AssistantEntry, ParleyError, type SessionId } from '@parley/protocol';
import { type Actor, personOf } from '../../../domain/access.ts';
import type { Clock } from '../../../domain/clock.ts';
import { type CodeSessions, openSession } from '../../../domain/code-sessions.ts';
import type { Gateway } from '../../../domain/gateway.ts';
import type { People } from '../../../domain/people.ts';
import { withoutReplaced } from '../../../domain/replaced-turns.ts';
import type { ExportFormat, ExportHead } from './format.ts';
import { type ExportItem, itemsOfPages, itemsOfTurns, type NameOf } from './read-items.ts';
import type { ExportWords } from './words.ts';

export interface ExportServices {
  readonly gateway: Gateway;
  readonly assistants: () => readonly AssistantEntry[];
  /** Absent if Claude Code is switched off. */
  readonly codeSessions: CodeSessions | undefined;
  readonly people: Pick<People, 'displayNameOf'>;
  readonly clock: Clock;
}

export interface ExportedConversation {
  readonly head: ExportHead;
  readonly items: Iterable<ExportItem> | AsyncIterable<ExportItem>;
}

/** Loaded only if it is used, because parsing Markdown takes a lot of code. */
export async function loadHtmlExport(): Promise<ExportFormat> {
  return (await import('./html.ts')).htmlExport;
}

/** Lines of a transcript that are in memory at once. */
const pageSize = 200;

/** Rejects like the gateway if the actor may not read the session. */
export async function openConversation(
  { gateway, codeSessions, assistants, people, clock }: ExportServices,
  actor: Actor,
  id: SessionId,
  words: ExportWords,
): Promise<ExportedConversation> {
  const session = await openSession(gateway, codeSessions, actor, id);
  const isCode = session.engine === 'claude-code';
  const title = isCode ? (await codeSessions?.get(actor, session.id))?.title : session.title;
  const label = assistants().find(({ name }) => name === session.assistant)?.label ?? session.assistant;
  const head: ExportHead = {
    title: title || 'Parley',
    assistant: isCode ? 'Claude' : label,
    ...(isCode && { workingDir: session.settings.workingDir }),
    createdAt: session.createdAt,
    exportedAt: clock.now(),
    words,
  };
  const nameOf: NameOf = (author = session.person) =>
    author === personOf(actor) ? undefined : people.displayNameOf(author);
  if (!isCode) {
    const turns = withoutReplaced(await gateway.turns(actor, id));
    const started = turns.filter(({ startedAt }) => startedAt !== undefined);
    return { head, items: itemsOfTurns(started, nameOf) };
  }
  const items = itemsOfPages(async (before) => {
    if (!codeSessions) throw new ParleyError('unavailable', 'Claude Code is turned off on this server.');
    const page = await codeSessions.past(actor, id, {
      limit: pageSize,
      ...(before !== undefined && { before }),
    });
    return { entries: page.entries, before: page.before ?? null };
  }, nameOf);
  return { head, items };
}

export async function* rendered(
  format: ExportFormat,
  head: ExportHead,
  items: AsyncIterable<ExportItem>,
): AsyncGenerator<string> {
  yield format.begin(head);
  let isFirst = true;
  for await (const item of items) {
    yield format.item(item, head, isFirst);
    isFirst = false;
  }
  yield format.end(head);
}
