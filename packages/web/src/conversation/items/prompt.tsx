// What a person said, with the pictures they sent along.

import type { PromptItem } from '@parley/client';
import { t } from '../../i18n/translate.ts';
import { classes } from '../../ui/classes.ts';
import { useOpenConversation } from '../context.ts';
import { pictureUrls } from '../sent-pictures.ts';
import { ItemMenu } from './item-menu.tsx';

export function Prompt({ item }: { item: PromptItem }) {
  const { conversation } = useOpenConversation();
  return (
    <article className="group relative mt-3 flex items-start justify-end gap-1">
      <h2 className="sr-only">{t('You')}</h2>
      <PromptBubble text={item.text} pictures={pictureUrls(conversation.id, item)} />
      <ItemMenu item={item} copy={item.text} />
    </article>
  );
}

export function PromptBubble({
  text,
  pictures,
  isFaint = false,
}: {
  text: string;
  /** Their addresses. */
  pictures: readonly string[];
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
      {text !== '' && (
        <p dir="auto" className="whitespace-pre-wrap break-words leading-relaxed">
          {text}
        </p>
      )}
    </div>
  );
}
