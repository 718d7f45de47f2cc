// `parley audit`: who did what, and when.
import { AuditAction, type AuditEntry, ParleyError } from '@parley/protocol';
import { nearest } from '../config/nearest.ts';
import { type AuditQuery, everyEntry } from '../domain/audit-log.ts';
import type { CommandLine } from './command-line.ts';
import { type DatabaseContext, runOnDatabase, timeOf } from './on-database.ts';

const help = `Usage: parley audit <command>

  list                     the newest entries first (--json prints JSON)
                           --limit 50
  export                   all entries as lines of JSON, the newest first

Both take filters:
  --text word              found in the person, subject, detail or address
  --person NAME            only what NAME did
  --action NAME            such as login.failed or key.created
  --since 2026-12-01       from this day on
  --until 2026-12-31       before this day`;

const usualEntries = 50;
const maxEntries = 10_000;

export function showAudit(line: CommandLine): Promise<number> {
  return runOnDatabase(line, { help, subcommands: { list, export: exported } });
}

async function list({ line, store }: DatabaseContext): Promise<string> {
  const entries = await store.audit.search({ ...filtersOf(line), limit: limitOf(line.wordFlags.limit) });
  if (line.json) return JSON.stringify(entries, undefined, 2);
  return entries.length === 0 ? 'No entries match.' : entries.map(toLine).join('\n');
}

async function* exported({ line, store }: DatabaseContext): AsyncGenerator<string, void, undefined> {
  for await (const entry of everyEntry(store.audit, filtersOf(line))) yield JSON.stringify(entry);
}

function toLine({ at, action, person, subject, detail, address }: AuditEntry): string {
  const about = [subject, detail, address && `from ${address}`].filter(Boolean).join(', ');
  return `${new Date(at).toISOString()}  ${person ?? '-'}  ${action}${about ? `  ${about}` : ''}`;
}

function filtersOf({ wordFlags }: CommandLine): Omit<AuditQuery, 'before' | 'limit'> {
  const { text, person, action, since, until } = wordFlags;
  return {
    ...(text !== undefined && { text }),
    ...(person !== undefined && { person }),
    ...(action !== undefined && { action: actionOf(action) }),
    ...(since !== undefined && { from: timeOf('since', since) }),
    ...(until !== undefined && { until: timeOf('until', until) }),
  };
}

function actionOf(text: string): AuditAction {
  const action = AuditAction.safeParse(text);
  if (action.success) return action.data;
  const meant = nearest(text, AuditAction.options);
  const advice = meant ? `Did you mean ${meant}?` : `Choose from: ${AuditAction.options.join(', ')}.`;
  throw new ParleyError('invalid', `There is no action ${text}. ${advice}`);
}

function limitOf(text = String(usualEntries)): number {
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= maxEntries) return limit;
  throw new ParleyError('invalid', `--limit must be a number from 1 to ${maxEntries}, not “${text}”.`);
}
