// What can be done with messages that were already sent: ask again, edit, fork, retry, or withdraw those that wait.
import type { Conversation, ConversationSnapshot, Item, PromptContent, PromptItem } from '@parley/client';
import type { TurnId, Versions, WaitingPrompt } from '@parley/protocol';
import { useCallback, useMemo } from 'react';
import { useLocation } from 'wouter';
import { client } from '../client.ts';
import { useSessionChange } from '../session-list/refresh.ts';
import type { ConversationKind, Repeat } from './context.ts';
import { contentOf } from './sent-attachments.ts';
import type { Draft } from './use-draft.ts';
import { useVersions } from './use-versions.ts';

/** Waits for something, and shows what goes wrong. */
export type Attempt = (doing: Promise<unknown>) => void;

export interface SentMessages {
  /** Undefined while messages can't be sent again. */
  readonly repeat: Repeat | undefined;
  /** The versions to choose from, by the key of the message where they begin. */
  readonly versions: ReadonlyMap<string, Versions>;
  /** Sends a message in place of an earlier one, and opens the version that it starts. */
  readonly startVersion: (before: TurnId, content: PromptContent) => Promise<void>;
  /** Puts a message that hasn't reached the server back into the composer. */
  readonly withdraw: (key: string) => void;
  /** The same for a message that waits in the queue. */
  readonly withdrawQueued: (prompt: WaitingPrompt) => Promise<void>;
}

export function useSentMessages(
  conversation: Conversation,
  snapshot: ConversationSnapshot,
  kind: ConversationKind,
  { add, edit, moveTo }: Draft,
  attempt: Attempt,
): SentMessages {
  const { view, sent, access } = snapshot;
  const { at: versions, start } = useVersions(conversation, snapshot);
  const [, go] = useLocation();
  const isIdle = view.running === undefined && sent.length === 0 && view.queue.length === 0;
  const last = useMemo(
    () => view.items.findLast((item): item is PromptItem => item.kind === 'prompt'),
    [view.items],
  );

  const startVersion = useCallback(
    async (before: TurnId, content: PromptContent) => {
      const version = await start(before, content);
      moveTo(version);
      go(kind.path(version));
    },
    [start, moveTo, go, kind],
  );

  const { mutateAsync: startFork } = useSessionChange((before: TurnId | undefined) =>
    client.sessions.fork(conversation.id, before),
  );
  const fork = useCallback(
    async (item: Item) => {
      const { items } = conversation.snapshot().view;
      const next = items
        .slice(items.indexOf(item) + 1)
        .find((later): later is PromptItem => later.kind === 'prompt' && later.promptId !== undefined);
      const { id } = await startFork(next?.promptId);
      go(kind.path(id));
    },
    [conversation, startFork, go, kind],
  );

  const repeat = useMemo<Repeat | undefined>(() => {
    if (!isIdle || !last || access === 'read') return undefined;
    const content = (item: PromptItem) => contentOf(conversation.id, item);
    const withContent = async (
      item: PromptItem,
      use: (id: TurnId, words: PromptContent) => void | Promise<void>,
    ) => {
      if (item.promptId !== undefined) await use(item.promptId, await content(item));
    };
    return {
      last,
      // A version belongs to the owner alone, so only they can start one.
      mayBranch: access === 'own',
      ask: (item) => attempt(withContent(item, startVersion)),
      edit: (item) => {
        focusComposer();
        attempt(withContent(item, edit));
      },
      fork: (item) => attempt(fork(item)),
      retry: kind.canRetry
        ? () => attempt(content(last).then((words) => conversation.send(words)))
        : undefined,
    };
  }, [kind.canRetry, isIdle, last, access, conversation, attempt, edit, startVersion, fork]);

  const withdraw = useCallback(
    (key: string) => {
      const prompt = conversation.discard(key);
      if (prompt) add(prompt);
      focusComposer();
    },
    [conversation, add],
  );

  const withdrawQueued = async ({ turnId, prompt: { text, images, files = [] } }: WaitingPrompt) => {
    // First, because the server drops the attachments of a withdrawn prompt.
    const content = await contentOf(conversation.id, {
      turnId,
      text,
      pictures: images.map((mediaType) => ({ mediaType, data: '' })),
      files: files.map((file) => ({ ...file, data: '' })),
    });
    await conversation.withdraw(turnId);
    add(content);
    focusComposer();
  };

  return { repeat, versions, startVersion, withdraw, withdrawQueued };
}

function focusComposer(): void {
  document.getElementById('composer')?.focus();
}
