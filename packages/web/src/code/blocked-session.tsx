// What to do when a session can't continue here: take it over from the terminal, or start another one.
import type { Conversation, PromptItem, ConversationView as View } from '@parley/client';
import type { CodeSessionView, NewCodeSession } from '@parley/protocol';
import { useLocation } from 'wouter';
import { send } from '../client.ts';
import { contentOf } from '../conversation/sent-attachments.ts';
import { errorText } from '../i18n/error-text.ts';
import { t } from '../i18n/translate.ts';
import { useSessionChange } from '../session-list/refresh.ts';
import { Button } from '../ui/button.tsx';

/** For a session that is open in the terminal: goes there, or takes it over and sends the refused message again. */
export function TakeOver({ conversation }: { conversation: Conversation }) {
  const [, go] = useLocation();
  const { id } = conversation;
  const takeOver = useSessionChange(async () => {
    const { items } = conversation.snapshot().view;
    const refused = refusedPrompt(items);
    const content = refused && (await contentOf(id, refused));
    await send('DELETE', `/api/claude/sessions/${id}/terminal`);
    conversation.reopen();
    if (content) conversation.send(content);
  });
  return (
    <div className="grid justify-items-end gap-1">
      <div className="flex flex-wrap justify-end gap-2">
        <Button
          look="danger"
          className="min-h-8"
          disabled={takeOver.isPending}
          onClick={() => takeOver.mutate(undefined)}
        >
          {t('Take over here')}
        </Button>
        <Button look="plain" className="min-h-8" onClick={() => go(`/code/${id}/terminal`)}>
          {t('Go to the terminal')}
        </Button>
      </div>
      {takeOver.isError && <span>{errorText(takeOver.error)}</span>}
    </div>
  );
}

function refusedPrompt(items: View['items']): PromptItem | undefined {
  const last = items.at(-1);
  if (last?.kind !== 'end' || last.error?.code !== 'in_terminal') return undefined;
  return items.findLast((item): item is PromptItem => item.kind === 'prompt');
}

/** Starts a session like this one if the program can't continue it. */
export function ContinueInNewSession({ workingDir, facts }: { workingDir: string; facts: View['facts'] }) {
  const [, go] = useLocation();
  const { model, permissionMode } = facts;
  const config = { ...(model && { model }), ...(permissionMode && { permissionMode }) };
  const create = useSessionChange(() =>
    send<CodeSessionView>('POST', '/api/claude/sessions', {
      workingDir,
      mode: 'ui',
      config,
    } satisfies NewCodeSession),
  );
  return (
    <div className="grid justify-items-end gap-1">
      <Button
        look="danger"
        className="min-h-8"
        disabled={create.isPending}
        onClick={() => {
          // The transcript doesn't say where the session worked.
          if (workingDir === '') go('/code/new');
          else create.mutate(undefined, { onSuccess: ({ id }) => go(`/code/${id}`) });
        }}
      >
        {t('Continue in a new session')}
      </Button>
      {create.isError && <span>{errorText(create.error)}</span>}
    </div>
  );
}
