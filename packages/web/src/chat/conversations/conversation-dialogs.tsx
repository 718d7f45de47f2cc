// Renaming and deleting a conversation.
import type { Session } from '@parley/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { send } from '../../api/http.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Refusal } from '../../ui/notes.tsx';
import { conversationOf, forgetConversation } from '../connection/open-conversations.ts';
import { titleOf } from './conversation-row.tsx';

export function RenameConversation({
  session,
  onDone,
}: {
  session: Session | undefined;
  onDone: () => void;
}) {
  return (
    <Dialog open={session !== undefined} onOpenChange={onDone} title="Rename the conversation">
      {session && <RenameForm session={session} onDone={onDone} />}
    </Dialog>
  );
}

function RenameForm({ session, onDone }: { session: Session; onDone: () => void }) {
  const queries = useQueryClient();
  const [title, setTitle] = useState(session.title);
  const rename = useMutation({
    mutationFn: () => send<Session>('PATCH', `/api/sessions/${session.id}`, { title: title.trim() }),
    onSuccess: (renamed) => {
      conversationOf(session.person, session.id).changed(renamed);
      void queries.invalidateQueries({ queryKey: ['sessions'] });
      onDone();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        rename.mutate();
      }}
    >
      <label className="grid gap-1.5 text-sm">
        Title
        <input
          autoFocus
          required
          maxLength={200}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
          className="h-10 rounded-lg border border-edge bg-paper px-3 text-base"
        />
      </label>
      {rename.isError && (
        <div className="mt-3">
          <Refusal error={rename.error} />
        </div>
      )}
      <div className="mt-5 flex justify-end gap-2">
        <Button look="quiet" onClick={onDone}>
          Cancel
        </Button>
        <Button look="primary" type="submit" disabled={rename.isPending || title.trim() === ''}>
          Rename
        </Button>
      </div>
    </form>
  );
}

export function DeleteConversation({
  session,
  onDone,
}: {
  session: Session | undefined;
  onDone: (isGone: boolean) => void;
}) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: ({ id }: Session) => send('DELETE', `/api/sessions/${id}`),
    onSuccess: (_nothing, gone) => {
      forgetConversation(gone);
      void queries.invalidateQueries({ queryKey: ['sessions'] });
      onDone(true);
    },
  });
  return (
    <Dialog
      open={session !== undefined}
      onOpenChange={() => onDone(false)}
      title="Delete the conversation?"
      {...(session && { description: `“${titleOf(session)}” and all that was said in it will be gone.` })}
    >
      {remove.isError && <Refusal error={remove.error} />}
      <div className="flex justify-end gap-2">
        <Button look="quiet" onClick={() => onDone(false)}>
          Keep it
        </Button>
        <Button look="danger" disabled={remove.isPending} onClick={() => session && remove.mutate(session)}>
          Delete
        </Button>
      </div>
    </Dialog>
  );
}
