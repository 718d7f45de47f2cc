// The page of one session: its transcript, what it asks, and where one writes to it.
import type { CodeClientMessage, CodeSessionView } from '@parley/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { SquareTerminal, X } from 'lucide-react';
import { useCallback, useEffect, useMemo } from 'react';
import { useLocation } from 'wouter';
import { useHere } from '../../app/me.tsx';
import { useShortcuts } from '../../app/shortcuts.ts';
import { DropZone } from '../../pictures/drop-zone.tsx';
import { usePictures } from '../../pictures/use-pictures.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Empty, Refusal, Skeleton, Spinner } from '../../ui/notes.tsx';
import type { SessionStore } from '../connection/session-store.ts';
import { RawMessages } from '../items/item-menu.tsx';
import { RememberOpenParts } from '../items/open-parts.tsx';
import { LoadSubagent, StandingContext, TranscriptContext } from '../items/transcript-context.ts';
import { allKey, useSession } from '../list/use-sessions.ts';
import type { Transcript } from '../model/transcript.ts';
import { PermissionCard } from '../permission/permission-card.tsx';
import { Composer } from './composer.tsx';
import { ConnectionLost } from './connection-lost.tsx';
import { ContextMeter } from './context-meter.tsx';
import { knownCommands, rememberCommands } from './known-commands.ts';
import { rememberModels } from './known-models.ts';
import { QueuePanel } from './queue-panel.tsx';
import { rowsOf } from './rows.ts';
import { SessionHeader } from './session-header.tsx';
import { TodoPanel } from './todo-panel.tsx';
import { TranscriptList } from './transcript-list.tsx';
import { useSessionStore, useSnapshot } from './use-session.ts';

export function SessionPage({ id }: { id: string }) {
  const session = useSession(id);
  const store = useSessionStore(id);
  if (session.isError) {
    return (
      <div className="mx-auto w-full max-w-lg p-6">
        <Refusal error={session.error} onRetry={() => void session.refetch()} />
      </div>
    );
  }
  if (!session.data || !store) return <Opening />;
  return (
    <RememberOpenParts>
      <OpenSession session={session.data} store={store} />
    </RememberOpenParts>
  );
}

const suggestions = [
  'Read README.md',
  'Run touch hello.txt',
  'Ask me a question',
  'Make a plan',
  'Search for TODO',
];

function OpenSession({ session, store }: { session: CodeSessionView; store: SessionStore }) {
  const { view, connection, before, isLoadingOlder } = useSnapshot(store);
  const { demo } = useHere();
  const pictures = usePictures();
  const { permissions, running, settled } = view;
  const transcript = usePlaced(view.transcript, session.workingDir);
  const { facts } = transcript;
  const rows = rowsOf(view);
  const [asked] = permissions;
  useFreshList(running, asked?.request_id);
  useEffect(() => rememberModels(view.models), [view.models]);
  useEffect(() => rememberCommands(session.workingDir, facts.commands), [session.workingDir, facts.commands]);
  const isRunning = running !== undefined;
  const isReady = view.after !== undefined && view.cachedLeft === 0;
  const standing = useMemo(
    () => ({ isRunning, settled, asked: new Set(permissions.flatMap((one) => one.tool_use_id ?? [])) }),
    [isRunning, settled, permissions],
  );

  const answer = useCallback((message: CodeClientMessage) => void store.send(message), [store]);
  const interrupt = useCallback(() => void store.send({ type: 'interrupt' }), [store]);
  const older = useCallback(() => void store.loadOlder().catch(() => undefined), [store]);
  const loadSubagent = useCallback(
    (call: string) => void store.loadSubagent(call).catch(() => undefined),
    [store],
  );
  const retry = useCallback((key: string) => store.retry(key), [store]);
  const discard = useCallback((key: string) => store.discard(key), [store]);
  useShortcuts(
    useMemo(
      () => (isRunning ? [{ keys: 'Escape', does: 'Interrupt', run: interrupt, inFields: true }] : []),
      [isRunning, interrupt],
    ),
  );
  const meter = (
    <ContextMeter
      tokens={facts.contextTokens}
      window={facts.contextWindow}
      costUsd={facts.totalCostUsd ?? session.costUsd}
    />
  );

  return (
    <RawMessages>
      <TranscriptContext value={transcript}>
        <StandingContext value={standing}>
          <LoadSubagent value={loadSubagent}>
            <main className="flex h-full min-h-0 min-w-0 flex-col">
              <SessionHeader
                session={session}
                model={view.model}
                models={view.models}
                permissionMode={view.permissionMode}
                meter={meter}
                onModel={(model) => store.send({ type: 'set_model', model })}
                onMode={(mode) => store.send({ type: 'set_permission_mode', mode })}
              />
              <DropZone onDrop={pictures.attach}>
                {connection.type === 'lost' && <ConnectionLost />}
                {rows.length === 0 ? (
                  <Beginning isReady={isReady && !isRunning} workingDir={session.workingDir} />
                ) : (
                  <TranscriptList
                    key={view.generation}
                    rows={rows}
                    isLoadingOlder={isLoadingOlder}
                    hasOlder={before !== null && isReady}
                    onOlder={older}
                    onRetry={retry}
                    onDiscard={discard}
                  />
                )}
                <div className="shrink-0 px-3 pt-1 pb-3 sm:px-10 sm:pb-4">
                  <div className="mx-auto grid w-full max-w-3xl grid-cols-1 gap-2">
                    {connection.type === 'ended' && <Refusal error={new Error(connection.reason)} />}
                    {view.problem !== undefined && (
                      <Problem
                        session={session.id}
                        text={view.problem}
                        onClose={() => store.dismissProblem()}
                      />
                    )}
                    {asked && (
                      <PermissionCard
                        key={asked.request_id}
                        request={asked}
                        workingDir={facts.workingDir}
                        waiting={permissions.length}
                        onAnswer={answer}
                      />
                    )}
                    <TodoPanel todos={view.todos} />
                    <QueuePanel
                      prompts={view.queue}
                      onRemove={(turnId) => store.send({ type: 'queue_remove', turnId })}
                      onReorder={(order) => store.send({ type: 'queue_reorder', order: [...order] })}
                    />
                    {isRunning && !asked && (
                      <p className="px-1">
                        <Spinner label="Claude is working" />
                      </p>
                    )}
                    <Composer
                      isRunning={isRunning}
                      isDisabled={connection.type === 'ended'}
                      pictures={pictures}
                      commands={
                        facts.commands.length > 0 ? facts.commands : knownCommands(session.workingDir)
                      }
                      suggestions={demo && isReady && !isRunning && rows.length === 0 ? suggestions : []}
                      onSend={(content, options) => store.prompt(content, options)}
                      onInterrupt={interrupt}
                    />
                  </div>
                </div>
              </DropZone>
            </main>
          </LoadSubagent>
        </StandingContext>
      </TranscriptContext>
    </RawMessages>
  );
}

/** Where the program works, also before it was awake on this page. */
function usePlaced(transcript: Transcript, workingDir: string): Transcript {
  return useMemo(
    () =>
      transcript.facts.workingDir === undefined
        ? { ...transcript, facts: { ...transcript.facts, workingDir } }
        : transcript,
    [transcript, workingDir],
  );
}

/** Titles and costs change with turns, and who waits for somebody with every answer. */
function useFreshList(running: string | undefined, asked: string | undefined): void {
  const queries = useQueryClient();
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: allKey });
  }, [queries, running, asked]);
}

/** The server says it in words alone. */
const isInTerminal = (problem: string) => problem.includes('open in the terminal');

function Problem({ session, text, onClose }: { session: string; text: string; onClose: () => void }) {
  const [, go] = useLocation();
  const { terminal } = useHere();
  return (
    <div className="flex items-start gap-1">
      <div className="min-w-0 flex-1">
        <Refusal error={new Error(text)}>
          {terminal && isInTerminal(text) && (
            <Button look="danger" className="min-h-8" onClick={() => go(`/code/${session}/terminal`)}>
              Go to the terminal
            </Button>
          )}
        </Refusal>
      </div>
      <IconButton label="Close" onClick={onClose}>
        <X size={16} aria-hidden />
      </IconButton>
    </div>
  );
}

function Beginning({ isReady, workingDir }: { isReady: boolean; workingDir: string }) {
  if (!isReady) return <Opening />;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <Empty icon={<SquareTerminal size={22} aria-hidden />} title="Ready when you are">
        Claude works in{' '}
        <code className="break-words font-mono text-ink">{workingDir.replaceAll('/', '/\u200B')}</code>.
      </Empty>
    </div>
  );
}

function Opening() {
  return (
    <div
      role="status"
      aria-label="Opening the session"
      className="mx-auto grid w-full max-w-3xl flex-1 content-start gap-4 p-6"
    >
      <Skeleton className="h-10 w-2/3 justify-self-end" />
      <Skeleton className="h-24" />
      <Skeleton className="h-16 w-4/5" />
    </div>
  );
}
