// A Claude Code session as every wire shows it. Pure.
import type { CodeSessionView } from '@parley/protocol';
import type { CodeSession } from './code-sessions.ts';

export function toSessionView(session: CodeSession): CodeSessionView {
  const { firstPrompt, gitBranch, costUsd, shared, found } = session;
  return {
    id: session.id,
    title: session.title,
    ...(firstPrompt !== undefined && { firstPrompt }),
    workingDir: session.workingDir,
    ...(gitBranch !== undefined && { gitBranch }),
    createdAt: new Date(session.createdAt).toISOString(),
    updatedAt: new Date(session.updatedAt).toISOString(),
    status: session.status,
    mode: session.mode,
    archived: session.isArchived,
    working: session.isWorking,
    waiting: session.isWaiting,
    ...(costUsd !== undefined && { costUsd }),
    sizeBytes: session.sizeBytes,
    ...(shared && { shared }),
    sandbox: session.sandbox,
    ...(found && { found }),
  };
}
