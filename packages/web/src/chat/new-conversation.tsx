// A conversation that has not begun: it is made on the server with its first message.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useHere } from '../app/me.tsx';
import { DropZone } from '../pictures/drop-zone.tsx';
import { Refusal } from '../ui/notes.tsx';
import { chosenAssistant, useChoices, useChosenAssistant } from './assistants.ts';
import { ChatHeader } from './chat-header.tsx';
import { Composer } from './composer/composer.tsx';
import { useDraft } from './composer/draft.ts';
import { ModelMenu } from './composer/model-menu.tsx';
import { beginConversation } from './connection/open-conversations.ts';
import type { Message } from './connection/outbox.ts';
import { Welcome } from './welcome.tsx';

export function NewConversation({ onList }: { onList: () => void }) {
  const { person } = useHere();
  const [, go] = useLocation();
  const queries = useQueryClient();
  const { assistant, assistants, choose } = useChosenAssistant(person);
  const { models } = useChoices();
  const [model, setModel] = useState<string>();
  const draft = useDraft(`new.${person}`);
  const begin = useMutation({
    mutationFn: async (message: Message) => {
      const name = assistant?.name ?? (await chosenAssistant(queries, person));
      return beginConversation({ assistant: name, model }, message);
    },
    onSuccess: ({ id }) => {
      draft.clear();
      void queries.invalidateQueries({ queryKey: ['sessions'] });
      go(`/chat/${id}`);
    },
  });
  const send = (message: Message) => {
    if (!begin.isPending) begin.mutate(message);
  };
  return (
    <DropZone onDrop={draft.attach}>
      <ChatHeader onList={onList} />
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto px-4">
        <Welcome
          assistants={assistants}
          assistant={assistant}
          onChoose={choose}
          onTry={(text) => send({ text, images: [] })}
        />
      </div>
      <div className="mx-auto w-full max-w-3xl px-4 pb-[max(1rem,env(safe-area-inset-bottom))] print:hidden">
        {begin.isError && (
          <div className="mb-2">
            <Refusal error={begin.error} onRetry={() => send(begin.variables)} />
          </div>
        )}
        <Composer
          draft={draft}
          isRunning={false}
          onSend={() => send({ text: draft.text.trim(), images: draft.images })}
          onStop={() => undefined}
          onEditLast={undefined}
        >
          <ModelMenu models={models} model={model} onChoose={setModel} />
        </Composer>
      </div>
    </DropZone>
  );
}
