// A Claude Code session as every wire shows it, and back. Pure.
import type { CodeSessionView } from '@parley/protocol';
import type { CodeSession } from './code-sessions.ts';

export function toSessionView(session: CodeSession): CodeSessionView {
  const { firstPrompt, gitBranch, costUsd, shared, found, machine, isOffline } = session;
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
    ...(machine !== undefined && { machine }),
    ...(isOffline && { offline: true }),
  };
}

/** The session behind the view that another server has sent. */
export function fromSessionView(view: CodeSessionView): CodeSession {
  const { firstPrompt, gitBranch, createdAt, updatedAt, archived, working, waiting, costUsd, shared } = view;
  return {
    id: view.id,
    title: view.title,
    firstPrompt,
    workingDir: view.workingDir,
    gitBranch,
    createdAt: Date.parse(createdAt),
    updatedAt: Date.parse(updatedAt),
    status: view.status,
    mode: view.mode,
    isArchived: archived,
    isWorking: working,
    isWaiting: waiting,
    costUsd,
    sizeBytes: view.sizeBytes,
    ...(shared && { shared }),
    sandbox: view.sandbox,
    ...(view.found && { found: view.found }),
  };
}
