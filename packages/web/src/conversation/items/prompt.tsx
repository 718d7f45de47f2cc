// A prompt: its text, its versions, what can be done with it, and whether it has reached the server.

import type { PromptItem, SentPrompt } from '@parley/client';
import type { Versions } from '@parley/protocol';
import { ChevronLeft, ChevronRight, CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { t } from '../../i18n/translate.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ErrorNote, Spinner } from '../../ui/notes.tsx';
import { useAuthor, useConversationControls } from '../context.ts';
import { fileUrl, pictureUrls } from '../sent-attachments.ts';
import { ItemMenu } from './item-menu.tsx';
import { Moment } from './moment.tsx';
import { PromptBubble, UnsentPrompt } from './prompt-bubble.tsx';

export function Prompt({ item }: { item: PromptItem }) {
  const { conversation, versions } = useConversationControls();
  const here = versions.get(item.key);
  const author = useAuthor()(item.author);
  return (
    <article className="group relative mt-3">
      <h2 className={author === undefined ? 'sr-only' : 'mb-1 px-1 text-end text-soft text-xs'}>
        {author ?? t('You')}
      </h2>
      <div className="flex items-start justify-end gap-1">
        {item.at !== undefined && (
          <span className="mr-1 shrink-0 self-end">
            <Moment at={item.at} />
          </span>
        )}
        <PromptBubble
          text={item.text}
          pictures={pictureUrls(conversation.id, item)}
          files={item.files.map((file, at) => ({
            file,
            url: fileUrl(conversation.id, item.turnId, file, at),
          }))}
        />
        <ItemMenu item={item} copy={item.text} />
      </div>
      {here && <VersionSwitch versions={here} />}
    </article>
  );
}

/** Leads to the other versions of the conversation from this message on. */
function VersionSwitch({ versions: { sessions, current } }: { versions: Versions }) {
  const { kind } = useConversationControls();
  const [, go] = useLocation();
  const step = (label: string, by: number, icon: ReactNode) => {
    const session = sessions[current + by];
    return (
      <IconButton
        label={label}
        className="size-8"
        disabled={session === undefined}
        onClick={() => session !== undefined && go(kind.path(session))}
      >
        {icon}
      </IconButton>
    );
  };
  return (
    <div
      role="group"
      aria-label={t('Versions')}
      className="mt-1 flex items-center justify-end text-soft text-xs tabular-nums print:hidden"
    >
      {step(t('Previous version'), -1, <ChevronLeft size={15} aria-hidden />)}
      {t('Version {number} of {count}', { number: current + 1, count: sessions.length })}
      {step(t('Next version'), 1, <ChevronRight size={15} aria-hidden />)}
    </div>
  );
}

/** A message that was sent from here and is not part of the conversation yet. */
export function SentPromptView({ prompt }: { prompt: SentPrompt }) {
  return (
    <UnsentPrompt content={prompt}>
      <Delivery prompt={prompt} />
    </UnsentPrompt>
  );
}

function Delivery({ prompt: { key, error } }: { prompt: SentPrompt }) {
  const { conversation, withdraw } = useConversationControls();
  if (!error) return <Spinner label={t('Sending …')} />;
  const back = (
    <Button look="quiet" onClick={() => withdraw(key)}>
      {error.code === 'offline' ? t('Withdraw') : t('Edit')}
    </Button>
  );
  // Nothing is wrong with it: it is sent once the connection is back.
  if (error.code === 'offline') {
    return (
      <div className="flex flex-wrap items-center justify-end gap-x-2 text-soft text-sm">
        <p role="status" className="flex items-center gap-2">
          <CloudOff size={15} aria-hidden />
          {t('Waiting for the connection')}
        </p>
        <Button look="quiet" onClick={() => conversation.retry(key)}>
          {t('Try now')}
        </Button>
        {back}
      </div>
    );
  }
  return (
    <div className="grid justify-items-end gap-2">
      <ErrorNote error={error} onRetry={() => conversation.retry(key)} />
      {back}
    </div>
  );
}
