// Builds a session as lists show it, from its transcript, what Parley stores, and what is awake.
import type { SessionEntry } from '@parley/claude-cli';
import type { ClaudeCodeSession } from '@parley/protocol';
import type { CodeSession, LiveCodeSessions } from '../../../domain/code-sessions.ts';

/** The same for every session here. The access rules look at it. */
export const answering = { engine: 'claude-code', assistant: 'claude-code' } as const;

/** `stored` is undefined for a session that was started elsewhere and never opened in Parley. */
export function toCodeSession(
  entry: SessionEntry,
  stored: ClaudeCodeSession | undefined,
  live: LiveCodeSessions,
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

/** A title that was given before the first prompt is in the transcript only after a while. */
function titleOf({ title, titleSource }: SessionEntry, stored: ClaudeCodeSession | undefined): string {
  const isMadeOfPrompt = titleSource === 'prompt' || titleSource === 'command' || titleSource === 'none';
  const given = isMadeOfPrompt ? (stored?.title ?? '') : '';
  // If nobody gave one, the start of the first prompt is stored.
  return given === '' || title.startsWith(given) ? title : given;
}
