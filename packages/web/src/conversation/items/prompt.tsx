// What a person said, with the pictures and files they sent along.

import type { AttachedFile, PromptItem, SentPrompt } from '@parley/client';
import type { Versions } from '@parley/protocol';
import { ChevronLeft, ChevronRight, CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { pictureUrl } from '../../attachments/attachment.ts';
import { FileChip } from '../../attachments/file-chip.tsx';
import { t } from '../../i18n/translate.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Refusal, Spinner } from '../../ui/notes.tsx';
import { useAuthor, useConversationControls } from '../context.ts';
import { fileUrl, pictureUrls } from '../sent-attachments.ts';
import { ItemMenu } from './item-menu.tsx';
import { Moment } from './moment.tsx';

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

interface ShownFile {
  readonly file: AttachedFile;
  /** Where to download it. */
  readonly url: string | undefined;
}

function PromptBubble({
  text,
  pictures,
  files,
  isFaint = false,
}: {
  text: string;
  /** Their addresses. */
  pictures: readonly string[];
  files: readonly ShownFile[];
  isFaint?: boolean;
}) {
  return (
    <div
      className={classes(
        'min-w-0 max-w-[85%] rounded-2xl rounded-tr-md bg-accent-wash px-4 py-2.5',
        isFaint && 'opacity-70',
      )}
    >
      {pictures.length > 0 && (
        <div className={classes('flex flex-wrap gap-2 py-1', pictures.length > 1 && 'max-w-58 sm:max-w-74')}>
          {pictures.map((url, at) => (
            <img
              key={at}
              src={url}
              alt={t('Picture {number} of the message', { number: at + 1 })}
              className={classes(
                'rounded-lg border border-line object-cover',
                pictures.length === 1 ? 'max-h-72 max-w-full' : 'size-28 sm:size-36',
              )}
            />
          ))}
        </div>
      )}
      {files.length > 0 && (
        <ul aria-label={t('Attachments')} className="flex flex-wrap gap-2 py-1">
          {files.map(({ file, url }, at) => (
            <li key={at} className="max-w-full">
              {url === undefined ? (
                <FileChip file={file} />
              ) : (
                <a href={url} download={file.name} className="block rounded-xl hover:bg-sunken">
                  <FileChip file={file} />
                </a>
              )}
            </li>
          ))}
        </ul>
      )}
      {text !== '' && (
        <p dir="auto" className="whitespace-pre-wrap break-words leading-relaxed">
          {text}
        </p>
      )}
    </div>
  );
}

/** A message that was sent from here and is not part of the conversation yet. */
export function SentPromptView({ prompt }: { prompt: SentPrompt }) {
  return (
    <div className="flex flex-col items-end gap-1.5 pt-3">
      <PromptBubble
        text={prompt.text}
        pictures={prompt.images.map(pictureUrl)}
        files={(prompt.files ?? []).map((file) => ({ file, url: undefined }))}
        isFaint
      />
      <Delivery prompt={prompt} />
    </div>
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
  // It goes out when the connection is back: nothing is wrong with it.
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
      <Refusal error={error} onRetry={() => conversation.retry(key)} />
      {back}
    </div>
  );
}
