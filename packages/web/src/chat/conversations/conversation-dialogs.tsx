// Renaming and deleting a conversation.

import type { Session } from '@parley/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../client.ts';
import { t } from '../../i18n/translate.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Refusal } from '../../ui/notes.tsx';
import { titleOf } from './list-query.ts';

export function RenameConversation({
  session,
  onDone,
}: {
  session: Session | undefined;
  onDone: () => void;
}) {
  return (
    <Dialog open={session !== undefined} onOpenChange={onDone} title={t('Rename the conversation')}>
      {session && <RenameForm session={session} onDone={onDone} />}
    </Dialog>
  );
}

function RenameForm({ session, onDone }: { session: Session; onDone: () => void }) {
  const queries = useQueryClient();
  const [title, setTitle] = useState(session.title);
  const rename = useMutation({
    mutationFn: () => client.conversation(session.id).configure({ title: title.trim() }),
    onSuccess: () => {
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
        {t('Title')}
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
          {t('Cancel')}
        </Button>
        <Button look="primary" type="submit" disabled={rename.isPending || title.trim() === ''}>
          {t('Rename')}
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
    mutationFn: ({ id }: Session) => client.sessions.remove(id),
    onSuccess: (_nothing, { id }) => {
      client.forget(id);
      void queries.invalidateQueries({ queryKey: ['sessions'] });
      onDone(true);
    },
  });
  return (
    <Dialog
      open={session !== undefined}
      onOpenChange={() => onDone(false)}
      title={t('Delete the conversation?')}
      {...(session && {
        description: t('“{title}” will be deleted with all its messages.', { title: titleOf(session) }),
      })}
    >
      {remove.isError && <Refusal error={remove.error} />}
      <div className="flex justify-end gap-2">
        <Button look="quiet" onClick={() => onDone(false)}>
          {t('Cancel')}
        </Button>
        <Button look="danger" disabled={remove.isPending} onClick={() => session && remove.mutate(session)}>
          {t('Delete')}
        </Button>
      </div>
    </Dialog>
  );
}
