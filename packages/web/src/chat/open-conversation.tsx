// A chat that has started: its header and the conversation.

import type { Conversation, ConversationSnapshot } from '@parley/client';
import { totalTokens } from '@parley/protocol';
import { FolderTree, MessageCircleOff } from 'lucide-react';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { useChoices } from '../app/assistants.ts';
import { usePageTitle } from '../app/page-title.ts';
import { ContextButton } from '../context-use/context-button.tsx';
import type { ConversationKind } from '../conversation/context.ts';
import { ConversationView } from '../conversation/conversation-view.tsx';
import { useConversation } from '../conversation/use-conversation.ts';
import { t } from '../i18n/translate.ts';
import { SharedBadge } from '../sharing/shared-badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { Badge, Empty } from '../ui/notes.tsx';
import { ChatHeader } from './chat-header.tsx';
import { ModelMenu } from './model-menu.tsx';
import { ToolLine } from './tool-line.tsx';

const chat: ConversationKind = {
  Tool: ToolLine,
  showsDecisions: true,
  path: (id) => `/chat/${id}`,
  canRetry: true,
  changesFiles: false,
  canSteer: false,
};

export function OpenConversation({
  id,
  onList,
  onRecipe,
  onNotes,
  onTurn,
}: {
  id: string;
  onList: () => void;
  onRecipe: (id: string) => void;
  onNotes: () => void;
  /** Called with the turn that runs, and with undefined when it has ended. */
  onTurn: (id: string | undefined) => void;
}) {
  const [conversation, snapshot] = useConversation(id);
  const { session, view, status, error, access } = snapshot;
  const { assistants, models } = useChoices();
  const assistant = assistants.find(({ name }) => name === session?.assistant);
  const [first] = view.items;
  const title = session?.title || (first?.kind === 'prompt' && first.text) || t('Conversation');
  usePageTitle(title);
  useShownRecipe(conversation, snapshot, onRecipe);
  useEffect(() => onTurn(view.running), [onTurn, view.running]);
  if (status === 'failed' && error?.status === 404) return <Missing onList={onList} />;
  return (
    <>
      <ChatHeader title={title} onList={onList}>
        {session && <SharedBadge session={id} owner={session.person} />}
        {assistant && <Badge tone="accent">{assistant.label}</Badge>}
        <ContextButton
          conversation={conversation}
          facts={view.facts}
          totalTokens={totalTokens(view.usage)}
          costUsd={view.usage.costUsd}
          canCompact={access !== 'read'}
        />
        {session?.assistant === 'notes' && (
          <IconButton label={t('Notes')} onClick={onNotes}>
            <FolderTree size={18} aria-hidden />
          </IconButton>
        )}
      </ChatHeader>
      <ConversationView
        conversation={conversation}
        snapshot={snapshot}
        kind={chat}
        name={assistant?.label ?? 'Claude'}
        commands={[{ name: 'compact', description: t('Replace what the model has read with a summary') }]}
        placeholder={t('Write a message …')}
        empty={() => null}
        menus={(attempt) => (
          <ModelMenu
            models={models}
            model={view.facts.model ?? session?.settings.model}
            onChoose={(model) => attempt(conversation.configure({ model }))}
          />
        )}
      />
    </>
  );
}

/** The last recipe that was opened automatically. */
const opened = new WeakMap<Conversation, number>();

/** Opens a recipe that the assistant shows while the person is watching, once, even if they leave and come back. */
function useShownRecipe(
  conversation: Conversation,
  { view, openedAt }: ConversationSnapshot,
  onRecipe: (id: string) => void,
): void {
  const { recipe } = view;
  useEffect(() => {
    if (!recipe || recipe.seq <= Math.max(openedAt, opened.get(conversation) ?? 0)) return;
    opened.set(conversation, recipe.seq);
    onRecipe(recipe.id);
  }, [conversation, recipe, openedAt, onRecipe]);
}

function Missing({ onList }: { onList: () => void }) {
  return (
    <>
      <ChatHeader onList={onList} />
      <Empty icon={<MessageCircleOff size={22} aria-hidden />} title={t('Conversation not found')}>
        <p>{t('It was deleted, or it belongs to somebody else.')}</p>
        <Link href="/" className="mt-2 inline-block text-accent underline underline-offset-2">
          {t('Start a new one')}
        </Link>
      </Empty>
    </>
  );
}
