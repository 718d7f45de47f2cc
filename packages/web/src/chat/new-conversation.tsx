// A new chat. The server creates it with its first message.

import type { PromptContent } from '@parley/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { chosenAssistant, useChoices, useChosenAssistant } from '../app/assistants.ts';
import { useHere } from '../app/me.tsx';
import { DropZone } from '../attachments/drop-zone.tsx';
import { client } from '../client.ts';
import { Composer } from '../conversation/composer.tsx';
import { UnsentPrompt } from '../conversation/items/prompt-bubble.tsx';
import { useDraft } from '../conversation/use-draft.ts';
import { t } from '../i18n/translate.ts';
import { ErrorNote, Spinner } from '../ui/notes.tsx';
import { ChatHeader } from './chat-header.tsx';
import { ModelMenu } from './model-menu.tsx';
import { Welcome } from './welcome.tsx';

export function NewConversation({ onList }: { onList: () => void }) {
  const { person } = useHere();
  const [, go] = useLocation();
  const queries = useQueryClient();
  const { assistant, assistants, choose } = useChosenAssistant(person);
  const { models } = useChoices();
  const [model, setModel] = useState<string>();
  const draft = useDraft(`new.${person}`);
  const { add } = draft;
  const returned = useRef<PromptContent>(undefined);
  // Only once: if the login has expired, the message is refused and the page reloads as well.
  const giveBack = useCallback(
    (content: PromptContent) => {
      if (returned.current !== content) add(content);
      returned.current = content;
    },
    [add],
  );
  const start = useMutation({
    mutationFn: async (content: PromptContent) => {
      const name = assistant?.name ?? (await chosenAssistant(queries, person));
      const session = await client.sessions.create({ assistant: name, model, title: titleFor(content) });
      client.conversation(session.id).send(content);
      return session;
    },
    onSuccess: ({ id }) => {
      // Keep what was written in the meantime.
      draft.moveTo(id);
      void queries.invalidateQueries({ queryKey: ['sessions'] });
      go(`/chat/${id}`);
    },
    onError: (_error, content) => giveBack(content),
  });
  const { isPending, variables } = start;
  useEffect(() => {
    if (!isPending) return undefined;
    const leave = () => giveBack(variables);
    addEventListener('pagehide', leave);
    return () => removeEventListener('pagehide', leave);
  }, [isPending, variables, giveBack]);
  // Shown until the chat's own page opens.
  const sent = isPending || start.isSuccess ? variables : undefined;
  const sendDraft = () => {
    if (!sent && !draft.isEmpty) start.mutate(draft.take());
  };
  return (
    <DropZone onDrop={draft.attach}>
      <ChatHeader onList={onList} />
      {sent ? (
        <div className="min-h-0 flex-1 overflow-y-auto px-4 sm:px-10">
          <div className="mx-auto max-w-3xl py-2">
            <UnsentPrompt content={sent}>
              <Spinner label={t('Sending …')} />
            </UnsentPrompt>
          </div>
        </div>
      ) : (
        <div className="flex min-h-0 flex-1 flex-col overflow-y-auto px-4">
          <Welcome
            assistants={assistants}
            assistant={assistant}
            onChoose={choose}
            onTry={(text) => start.mutate({ text, images: [] })}
          />
        </div>
      )}
      <div className="shrink-0 px-4 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-10 sm:pb-4 print:hidden">
        <div className="mx-auto grid w-full max-w-3xl grid-cols-1 gap-2">
          {start.isError && <ErrorNote error={start.error} onRetry={sendDraft} />}
          <Composer
            draft={draft}
            placeholder={t('Write a message …')}
            menus={<ModelMenu models={models} model={model} onChoose={setModel} />}
            onSend={sendDraft}
          />
        </div>
      </div>
    </DropZone>
  );
}

/** The title until somebody renames the chat. */
function titleFor({ text, images, files = [] }: PromptContent): string {
  const line = text.replaceAll(/\s+/g, ' ').trim().slice(0, 80);
  // Don't cut an emoji in half.
  const words = line.replace(/[\uD800-\uDBFF]$/, '');
  return (
    words ||
    files[0]?.name ||
    t('{count, plural, one {A picture} other {Pictures}}', { count: images.length })
  );
}
