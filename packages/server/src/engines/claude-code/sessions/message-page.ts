// Reads a page of a session's transcript: the raw lines that clients know, or all lines for the app's own history.
import {
  bookkeepingTypes,
  type Frame,
  findSubagent,
  readTranscriptPage,
  type SessionEntry,
} from '@parley/claude-cli';
import { ParleyError } from '@parley/protocol';
import type { CodeMessagesQuery } from '../../../domain/code-sessions.ts';

export interface MessagePage {
  readonly frames: readonly Frame[];
  readonly before: string | undefined;
}

/** Empty for a session or a subagent without a transcript. */
export async function readMessages(
  entry: SessionEntry | undefined,
  { before, limit, subagentOf }: CodeMessagesQuery,
  accept?: (type: string | undefined) => boolean,
): Promise<MessagePage> {
  const file = subagentOf === undefined ? entry?.file : entry && (await findSubagent(entry.file, subagentOf));
  if (file === undefined) return { frames: [], before: undefined };
  const page = await readTranscriptPage(file, {
    limit,
    ...(accept && { accept }),
    ...(before !== undefined && { before: offsetOf(before) }),
  }).catch(ignoreMissing);
  const frames = page?.messages.map(({ frame }) => frame) ?? [];
  return { frames: withoutRepeats(frames), before: page?.before?.toString() };
}

/** Bookkeeping lines that clients of the raw history know. */
const knownBookkeeping: ReadonlySet<string> = new Set([
  'agent-name',
  'custom-title',
  'file-history-snapshot',
  'queue-operation',
  'tag',
]);

export function isRaw(type: string | undefined): boolean {
  return type === undefined || knownBookkeeping.has(type) || !bookkeepingTypes.has(type);
}

/** The program may write a line again, for example after a crash. */
function withoutRepeats(frames: readonly Frame[]): readonly Frame[] {
  const seen = new Set<string>();
  return frames.filter(({ uuid }) => uuid === undefined || (!seen.has(uuid) && seen.add(uuid)));
}

function offsetOf(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor))
    throw new ParleyError('invalid', 'The cursor does not belong to this session.');
  return Number(cursor);
}

/** The program deletes old transcripts by itself. */
function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
  throw error;
}
