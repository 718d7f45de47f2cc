// Builds what a conversation shows when it is opened, from its past and the state that the server reports.
import { addUsage, noUsage, type PastPage, type SessionDetails, type Turn } from '@parley/protocol';
import { Draft } from './draft.ts';
import { foldEntries } from './fold.ts';
import { type ConversationView, emptyView } from './view.ts';

/** The events after its `seq` continue where the page ends. */
export function openedView(details: SessionDetails, page: PastPage): ConversationView {
  const { session, turns, running, queue, permissions, code } = details;
  const draft = new Draft(foldEntries(emptyView, page.entries));
  if (running === null) draft.failRunningTools();
  const view = draft.finish();
  const { reported } = view.memory;
  const ended = turns.filter(hasEnded);
  return {
    ...view,
    seq: page.after,
    running: running ?? undefined,
    queue,
    permissions,
    todos: code?.todos ?? view.todos,
    usage: ended.reduce((sum, turn) => addUsage(sum, turn.usage), noUsage),
    facts: {
      ...view.facts,
      model: session.settings.model ?? reported.model,
      models: code?.models,
      permissionMode: code?.permissionMode ?? reported.permissionMode,
      workingDir: code?.view.workingDir ?? view.facts.workingDir,
    },
    memory: { ...view.memory, counted: new Set(ended.map(({ id }) => id)) },
  };
}

export function hasEnded({ status }: Pick<Turn, 'status'>): boolean {
  return status !== 'queued' && status !== 'running';
}
