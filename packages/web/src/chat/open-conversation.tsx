// A conversation that goes on: what was said, what happens now, and where the next message is written.
import { type Session, totalTokens } from '@parley/protocol';
import { ArrowDown, MessageCircleOff } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { Link } from 'wouter';
import { useHere } from '../app/me.tsx';
import { usePageTitle } from '../app/page-title.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { attachSent } from '../pictures/attached-image.ts';
import { DropZone } from '../pictures/drop-zone.tsx';
import { compact, dollars } from '../ui/amounts.ts';
import { Button } from '../ui/button.tsx';
import { Badge, Empty, Refusal, Skeleton } from '../ui/notes.tsx';
import { useChoices } from './assistants.ts';
import { ChatHeader } from './chat-header.tsx';
import { Composer } from './composer/composer.tsx';
import { useDraft } from './composer/draft.ts';
import { ModelMenu } from './composer/model-menu.tsx';
import { WaitingMessages } from './composer/waiting-messages.tsx';
import { chooseModel, stopTurn } from './connection/actions.ts';
import { type ConversationStore, isGone } from './connection/conversation-store.ts';
import { conversationOf } from './connection/open-conversations.ts';
import { runningTurn, type TurnView, totalUsage } from './model/conversation.ts';
import { OfflineBanner } from './offline-banner.tsx';
import { SentMessages } from './transcript/sent-messages.tsx';
import { useStickyScroll } from './transcript/sticky-scroll.ts';
import { TurnArticle } from './transcript/turn-article.tsx';

export function OpenConversation({
  id,
  onList,
  onRecipe,
}: {
  id: string;
  onList: () => void;
  onRecipe: (id: string) => void;
}) {
  const { person } = useHere();
  const store = conversationOf(person, id);
  useEffect(() => store.use(), [store]);
  const state = useSyncExternalStore(store.subscribe, store.snapshot);
  const { session, conversation, sent } = state;
  const { models } = useChoices();
  const draft = useDraft(id);
  const scroll = useStickyScroll();
  const running = runningTurn(conversation);
  const isRunning = running !== undefined;
  const last = conversation.turns.at(-1);
  const isIdle = !isRunning && sent.length === 0 && conversation.queue.length === 0;
  const title = session?.title || conversation.turns[0]?.prompt.text || 'Conversation';
  const [problem, setProblem] = useState<unknown>();
  const attempt = useCallback((doing: Promise<unknown>) => {
    setProblem(undefined);
    doing.catch(setProblem);
  }, []);
  const stop = useCallback(() => attempt(stopTurn(id)), [id, attempt]);
  useShownRecipe(store, onRecipe);
  usePageTitle(title);
  useShortcuts(
    useMemo(
      () => (isRunning ? [{ keys: 'Escape', does: 'Stop the answer', run: stop, inFields: true }] : []),
      [isRunning, stop],
    ),
  );

  if (state.status === 'failed') return <Failed store={store} error={state.error} onList={onList} />;

  const send = (text: string, images: typeof draft.images) => {
    store.outbox.send({ text, images });
    scroll.toEnd();
  };
  const sendAgain = async (turn: TurnView) => send(turn.prompt.text, await picturesOf(id, turn));
  const editLast = async (turn: TurnView) => {
    draft.replace(turn.prompt.text, await picturesOf(id, turn));
    document.getElementById('composer')?.focus();
  };

  return (
    <DropZone onDrop={draft.attach}>
      <ChatHeader title={title} onList={onList}>
        <AssistantBadge name={session?.assistant} />
        <ConversationCost usage={totalUsage(conversation)} />
      </ChatHeader>
      <OfflineBanner isConnected={state.isConnected} />
      <div
        ref={scroll.box}
        role="region"
        aria-label="Conversation"
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto outline-offset-[-2px] print:overflow-visible"
      >
        <div ref={scroll.content} className="mx-auto grid w-full max-w-3xl gap-8 px-4 pt-4 pb-8">
          {state.status === 'opening' && <Opening />}
          {conversation.turns.map((turn) => (
            <TurnArticle
              key={turn.id}
              sessionId={id}
              turn={turn}
              {...(turn === last && isIdle
                ? {
                    onRetry: () => attempt(sendAgain(turn)),
                    onEdit: () => attempt(editLast(turn)),
                  }
                : nothing)}
            />
          ))}
          <SentMessages outbox={store.outbox} messages={sent} />
        </div>
      </div>
      <div className="relative mx-auto w-full max-w-3xl px-4 pb-[max(1rem,env(safe-area-inset-bottom))] print:hidden">
        {!scroll.isAtEnd && (
          <Button
            className="-top-12 -translate-x-1/2 absolute left-1/2 rounded-full! shadow-md"
            onClick={scroll.toEnd}
          >
            <ArrowDown size={15} aria-hidden />
            To the newest
          </Button>
        )}
        {problem !== undefined && (
          <div className="mb-2">
            <Refusal error={problem} />
          </div>
        )}
        <WaitingMessages sessionId={id} messages={conversation.queue} />
        <Composer
          draft={draft}
          isRunning={isRunning}
          onSend={() => {
            send(draft.text.trim(), draft.images);
            draft.clear();
          }}
          onStop={stop}
          onEditLast={last && isIdle ? () => attempt(editLast(last)) : undefined}
        >
          <ModelMenu
            models={models}
            model={modelOf(session)}
            onChoose={(model) => attempt(chooseModel(id, model).then((changed) => store.changed(changed)))}
          />
        </Composer>
      </div>
    </DropZone>
  );
}

function modelOf(session: Session | undefined): string | undefined {
  const model = session?.settings['model'];
  return typeof model === 'string' ? model : undefined;
}

const nothing = { onRetry: undefined, onEdit: undefined };

/** A recipe that is shown while one looks opens by itself, once. */
function useShownRecipe(store: ConversationStore, onRecipe: (id: string) => void): void {
  const { conversation, openedAt } = useSyncExternalStore(store.subscribe, store.snapshot);
  const { recipe } = conversation;
  useEffect(() => {
    if (!recipe || recipe.seq <= Math.max(openedAt, store.openedRecipe)) return;
    store.openedRecipe = recipe.seq;
    onRecipe(recipe.id);
  }, [recipe, openedAt, store, onRecipe]);
}

function picturesOf(id: string, turn: TurnView) {
  const places = Array.from(
    { length: turn.prompt.images },
    (_, at) => `/api/sessions/${id}/turns/${turn.id}/images/${at}`,
  );
  return Promise.all(places.map(attachSent));
}

function AssistantBadge({ name }: { name: string | undefined }) {
  const assistant = useChoices().assistants.find((candidate) => candidate.name === name);
  return assistant ? <Badge tone="accent">{assistant.label}</Badge> : null;
}

function ConversationCost({ usage }: { usage: ReturnType<typeof totalUsage> }) {
  const tokens = totalTokens(usage);
  if (tokens === 0) return null;
  return (
    <span
      title="Tokens and cost of the whole conversation"
      className="shrink-0 text-faint text-xs tabular-nums"
    >
      <span className={usage.costUsd > 0 ? 'max-sm:hidden' : undefined}>{compact(tokens)} tokens</span>
      {usage.costUsd > 0 && (
        <>
          <span className="max-sm:hidden"> · </span>
          {dollars(usage.costUsd)}
        </>
      )}
    </span>
  );
}

function Opening() {
  return (
    <div role="status" aria-label="Opening the conversation" className="grid gap-4">
      <Skeleton className="ml-auto h-12 w-2/5" />
      <Skeleton className="h-4 w-4/5" />
      <Skeleton className="h-4 w-3/5" />
    </div>
  );
}

function Failed({ store, error, onList }: { store: ConversationStore; error: unknown; onList: () => void }) {
  return (
    <>
      <ChatHeader onList={onList} />
      {isGone(error) ? (
        <Empty icon={<MessageCircleOff size={22} aria-hidden />} title="This conversation is not here">
          <p>It was deleted, or it is somebody else’s.</p>
          <Link href="/" className="mt-2 inline-block text-accent underline underline-offset-2">
            Begin a new one
          </Link>
        </Empty>
      ) : (
        <div className="mx-auto w-full max-w-xl p-6">
          <Refusal error={error} onRetry={() => store.reopen()} />
        </div>
      )}
    </>
  );
}
