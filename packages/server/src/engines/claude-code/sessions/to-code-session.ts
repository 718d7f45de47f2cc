// A session as lists show it, from its transcript, from what Parley stores, and from what is awake.
import type { SessionEntry } from '@parley/claude-cli';
import type { ClaudeCodeSession } from '@parley/protocol';
import type { CodeSession } from '../../../domain/code-sessions.ts';
import type { WorkFolders } from '../../../domain/work-folders.ts';
import type { ClaudeCodeEngine } from '../engine.ts';

/** What the access rules look at. It is the same for every session here. */
export const answering = { engine: 'claude-code', assistant: 'claude-code' } as const;

/** What is awake, and what a folder's programs run in. */
export type Live = Pick<ClaudeCodeEngine, 'statusOf' | 'isWorking' | 'isWaiting'> &
  Pick<WorkFolders, 'sandboxOf'>;

/** `stored` is undefined for a session that was started elsewhere and never opened in Parley. */
export function toCodeSession(
  entry: SessionEntry,
  stored: ClaudeCodeSession | undefined,
  live: Live,
): CodeSession {
  const updatedAt = entry.updatedAt.getTime();
  const workingDir = entry.cwd ?? stored?.settings.workingDir ?? '';
  return {
    id: entry.sessionId,
    title: titleOf(entry, stored),
    firstPrompt: entry.firstPrompt,
    workingDir,
    gitBranch: entry.gitBranch,
    createdAt: entry.createdAt?.getTime() ?? stored?.createdAt ?? updatedAt,
    updatedAt,
    status: live.statusOf(entry.sessionId),
    mode: stored?.settings.mode ?? 'ui',
    isArchived: entry.archived,
    isWorking: live.isWorking(entry.sessionId),
    isWaiting: live.isWaiting(entry.sessionId),
    costUsd: entry.costUsd,
    sizeBytes: entry.size,
    sandbox: live.sandboxOf(workingDir),
  };
}

/** A session without a transcript: it is empty, or the program deleted the transcript. */
export function withoutTranscript(stored: ClaudeCodeSession, live: Live): CodeSession {
  return {
    id: stored.id,
    title: stored.title,
    firstPrompt: undefined,
    workingDir: stored.settings.workingDir ?? '',
    gitBranch: undefined,
    createdAt: stored.createdAt,
    updatedAt: stored.updatedAt,
    status: live.statusOf(stored.id),
    mode: stored.settings.mode ?? 'ui',
    isArchived: stored.settings.isArchived ?? false,
    isWorking: live.isWorking(stored.id),
    isWaiting: live.isWaiting(stored.id),
    costUsd: undefined,
    sizeBytes: 0,
    sandbox: live.sandboxOf(stored.settings.workingDir ?? ''),
  };
}

/** A title that was given before the first prompt is in the transcript only after a while. */
function titleOf({ title, titleSource }: SessionEntry, stored: ClaudeCodeSession | undefined): string {
  const isMadeOfPrompt = titleSource === 'prompt' || titleSource === 'command' || titleSource === 'none';
  const given = isMadeOfPrompt ? (stored?.title ?? '') : '';
  // If nobody gave one, the start of the first prompt is stored.
  return given === '' || title.startsWith(given) ? title : given;
}
