// A conversation: its transcript, open permissions, queue and composer. Chat and Claude Code add their own header,
// menus and panels.

import { ApiError, type Conversation, type ConversationSnapshot } from '@parley/client';
import type { OfferedCommand } from '@parley/protocol';
import { X } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { useShortcuts } from '../app/shortcuts.ts';
import { DropZone } from '../attachments/drop-zone.tsx';
import { ContextWarning } from '../context-use/context-warning.tsx';
import { t } from '../i18n/translate.ts';
import { ReadOnlyNote } from '../sharing/shared-badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { ErrorNote, Skeleton } from '../ui/notes.tsx';
import { Composer } from './composer.tsx';
import { ConnectionLost } from './connection-lost.tsx';
import { ConversationContext, type ConversationKind, ToolFactsContext, useToolFacts } from './context.ts';
import { FindBar } from './find-bar.tsx';
import { RawMessages } from './items/item-menu.tsx';
import { RememberOpenParts } from './items/open-parts.tsx';
import { RewindFiles } from './items/rewind-files.tsx';
import { OpenPermission } from './permission/open-permission.tsx';
import { QueuePanel } from './queue-panel.tsx';
import { type Row, useRows } from './rows.ts';
import { Transcript } from './transcript.tsx';
import type { FileFinder } from './use-completion.ts';
import { useDraft } from './use-draft.ts';
import { useFind, useFindAddress } from './use-find.ts';
import { type Attempt, useSentMessages } from './use-sent-messages.ts';

export interface ConversationViewProps {
  readonly conversation: Conversation;
  readonly snapshot: ConversationSnapshot;
  readonly kind: ConversationKind;
  /** Who answers, for permissions. */
  readonly name: string;
  readonly workingDir?: string;
  readonly commands?: readonly OfferedCommand[];
  /** Files that a message may name after an `@`. */
  readonly files?: FileFinder | undefined;
  readonly placeholder: string;
  /** Shown until the first message. */
  readonly empty: (send: (text: string) => void) => ReactNode;
  /** In the composer, such as the model. `attempt` shows what goes wrong. */
  readonly menus: (attempt: Attempt) => ReactNode;
  /** Above the composer, such as the todo list. */
  readonly panels?: ReactNode;
  /** What else can be done about a failure. */
  readonly remedy?: (error: Error) => ReactNode;
}

export function ConversationView(props: ConversationViewProps) {
  const { conversation, snapshot, kind, workingDir, panels } = props;
  const { view, status, generation, session, access } = snapshot;
  const draft = useDraft(conversation.id);
  const rows = useRows(snapshot, kind);
  const facts = useToolFacts(view, view.facts.workingDir ?? workingDir);
  const [refused, setRefused] = useState<unknown>();
  const attempt = useCallback<Attempt>((doing) => {
    setRefused(undefined);
    doing.catch(setRefused);
  }, []);
  const isRunning = view.running !== undefined;
  const stop = useCallback(() => attempt(conversation.stop()), [attempt, conversation]);
  useShortcuts(
    useMemo(
      () =>
        isRunning && access !== 'read' ? [{ keys: 'Escape', does: t('Stop the answer'), run: stop }] : [],
      [isRunning, access, stop],
    ),
  );

  const { repeat, versions, startVersion, withdraw, withdrawQueued } = useSentMessages(
    conversation,
    snapshot,
    kind,
    draft,
    attempt,
  );
  const owner = session?.person;
  const open = useMemo(
    () => ({ conversation, kind, owner, repeat, versions, withdraw }),
    [conversation, kind, owner, repeat, versions, withdraw],
  );
  const [find, setFind] = useFindAddress();
  const closeFind = useCallback(() => setFind(undefined), [setFind]);
  const [marked, setMarked] = useState<{ readonly key: string }>();
  useShortcuts(
    useMemo(
      () =>
        // Pressed again, it opens the browser's own search.
        find === undefined
          ? [{ keys: 'Mod+F', does: t('Find in this conversation'), run: () => setFind('') }]
          : [],
      [find, setFind],
    ),
  );
  const older = useCallback(() => void conversation.loadOlder().catch(() => undefined), [conversation]);

  return (
    <ConversationContext value={open}>
      <ToolFactsContext value={facts}>
        <RememberOpenParts>
          <RawMessages>
            <RewindFiles session={conversation.id}>
              <DropZone onDrop={draft.attach}>
                {find !== undefined && status === 'open' && (
                  <OpenFind
                    conversation={conversation}
                    rows={rows}
                    start={find}
                    onMarked={setMarked}
                    onClose={closeFind}
                  />
                )}
                <ConnectionLost isLost={snapshot.connection === 'lost'} />
                {rows.length > 0 ? (
                  <Transcript
                    key={generation}
                    rows={rows}
                    hasOlder={snapshot.hasOlder}
                    isLoadingOlder={snapshot.isLoadingOlder}
                    onOlder={older}
                    marked={find === undefined ? undefined : marked}
                  />
                ) : (
                  <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
                    {status === 'opening' ? (
                      <Opening />
                    ) : (
                      props.empty((words) => conversation.send({ text: words, images: [] }))
                    )}
                  </div>
                )}
                <div className="shrink-0 px-4 pt-1 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-10 sm:pb-4 print:hidden">
                  <div className="mx-auto grid w-full max-w-3xl grid-cols-1 gap-2">
                    <Problems {...props} refused={refused} onClose={() => setRefused(undefined)} />
                    {access === 'read' && session ? (
                      <ReadOnlyNote owner={session.person} />
                    ) : (
                      <>
                        <OpenPermission {...{ conversation, snapshot, workingDir }} name={props.name} />
                        {panels}
                        {!isRunning && <ContextWarning conversation={conversation} facts={view.facts} />}
                        <QueuePanel
                          prompts={view.queue}
                          ahead={view.ahead}
                          onWithdraw={(prompt) => attempt(withdrawQueued(prompt))}
                          onReorder={(order) => attempt(conversation.reorder(order))}
                        />
                        <Composer
                          draft={draft}
                          placeholder={props.placeholder}
                          isRunning={isRunning}
                          canSteer={kind.canSteer && access === 'own'}
                          {...(props.commands && { commands: props.commands })}
                          files={props.files}
                          menus={props.menus(attempt)}
                          editHint={kind.changesFiles ? t('Files stay as they are now.') : undefined}
                          onSend={(options) => {
                            setRefused(undefined);
                            if (draft.editing === undefined) conversation.send(draft.take(), options);
                            // It stays in the composer until the server has it.
                            else attempt(startVersion(draft.editing, draft.content()));
                          }}
                          onStop={stop}
                          onEditLast={repeat?.mayBranch ? () => repeat.edit(repeat.last) : undefined}
                        />
                      </>
                    )}
                  </div>
                </div>
              </DropZone>
            </RewindFiles>
          </RawMessages>
        </RememberOpenParts>
      </ToolFactsContext>
    </ConversationContext>
  );
}

/** Mounted only while the bar is open, so that nothing is searched otherwise. */
function OpenFind({
  conversation,
  rows,
  start,
  onMarked,
  onClose,
}: {
  conversation: Conversation;
  rows: readonly Row[];
  start: string;
  onMarked: (marked: { readonly key: string } | undefined) => void;
  onClose: () => void;
}) {
  const find = useFind(conversation, rows, start);
  useEffect(() => onMarked(find.marked), [find.marked, onMarked]);
  return <FindBar find={find} onClose={onClose} />;
}

function Problems({
  conversation,
  snapshot: { status, error, view, problem = occupiedAfter(view) },
  remedy,
  refused,
  onClose,
}: ConversationViewProps & { refused: unknown; onClose: () => void }) {
  return (
    <>
      {status === 'failed' && error && (
        <ErrorNote error={error} onRetry={() => conversation.reopen()}>
          {remedy?.(error)}
        </ErrorNote>
      )}
      {problem && <ErrorNote error={problem}>{remedy?.(problem)}</ErrorNote>}
      {refused !== undefined && (
        <div className="flex items-start gap-1">
          <div className="min-w-0 flex-1">
            <ErrorNote error={refused}>{refused instanceof Error && remedy?.(refused)}</ErrorNote>
          </div>
          <IconButton label={t('Close')} onClick={onClose}>
            <X size={16} aria-hidden />
          </IconButton>
        </div>
      )}
    </>
  );
}

/** Set if the last turn failed only because the session is open in a terminal, which the person can change. */
function occupiedAfter({ items }: ConversationSnapshot['view']): ApiError | undefined {
  const last = items.at(-1);
  const isOccupied = last?.kind === 'end' && last.error?.code === 'in_terminal';
  return isOccupied ? new ApiError(409, 'in_terminal', last.error.message) : undefined;
}

export function Opening() {
  return (
    <div
      role="status"
      aria-label={t('Opening the conversation')}
      className="mx-auto grid w-full max-w-3xl flex-1 content-start gap-4 p-6"
    >
      <Skeleton className="h-10 w-2/3 justify-self-end" />
      <Skeleton className="h-24" />
      <Skeleton className="h-16 w-4/5" />
    </div>
  );
}
