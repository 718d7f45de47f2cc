// Messages that wait until the answer before them is there: they can be reordered and taken back.
import { useMutation } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Clock, X } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';
import { Refusal } from '../../ui/notes.tsx';
import { reorderQueue, takeBack } from '../connection/actions.ts';
import type { WaitingMessage } from '../model/conversation.ts';

export function WaitingMessages({
  sessionId,
  messages,
}: {
  sessionId: string;
  messages: readonly WaitingMessage[];
}) {
  const remove = useMutation({ mutationFn: (turnId: string) => takeBack(sessionId, turnId) });
  const order = useMutation({ mutationFn: (ids: readonly string[]) => reorderQueue(sessionId, ids) });
  const error = remove.error ?? order.error;
  if (messages.length === 0) return null;
  const swap = (at: number, by: number) => {
    const ids = messages.map(({ turnId }) => turnId);
    const [moved = ''] = ids.splice(at, 1);
    ids.splice(at + by, 0, moved);
    order.mutate(ids);
  };
  return (
    <section aria-label="Waiting messages" className="mb-2 rounded-card border border-line bg-sunken p-1.5">
      <ol className="grid gap-0.5">
        {messages.map(({ turnId, prompt }, at) => (
          <li key={turnId} className="flex items-center gap-2 rounded-lg px-2 text-sm">
            <Clock size={14} className="shrink-0 text-faint" aria-hidden />
            <span dir="auto" title={prompt.text} className="min-w-0 flex-1 truncate text-soft">
              {prompt.text || (prompt.images === 1 ? 'A picture' : `${prompt.images} pictures`)}
            </span>
            {messages.length > 1 && (
              <>
                <IconButton
                  label="Send earlier"
                  className="size-8"
                  disabled={at === 0}
                  onClick={() => swap(at, -1)}
                >
                  <ArrowUp size={14} aria-hidden />
                </IconButton>
                <IconButton
                  label="Send later"
                  className="size-8"
                  disabled={at === messages.length - 1}
                  onClick={() => swap(at, 1)}
                >
                  <ArrowDown size={14} aria-hidden />
                </IconButton>
              </>
            )}
            <IconButton label="Take back" className="size-8" onClick={() => remove.mutate(turnId)}>
              <X size={14} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ol>
      {error !== null && <Refusal error={error} />}
    </section>
  );
}
