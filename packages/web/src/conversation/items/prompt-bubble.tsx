// The text of a message with the pictures and files that go with it. The page of a new chat shows it too.

import type { AttachedFile, PromptContent } from '@parley/client';
import type { ReactNode } from 'react';
import { pictureUrl } from '../../attachments/attachment.ts';
import { FileChip } from '../../attachments/file-chip.tsx';
import { t } from '../../i18n/translate.ts';
import { classes } from '../../ui/classes.ts';

interface ShownFile {
  readonly file: AttachedFile;
  /** Where to download it. */
  readonly url: string | undefined;
}

export function PromptBubble({
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

/** A message that hasn't been delivered yet, with its state below. */
export function UnsentPrompt({ content, children }: { content: PromptContent; children: ReactNode }) {
  return (
    <div className="flex flex-col items-end gap-1.5 pt-3">
      <PromptBubble
        text={content.text}
        pictures={content.images.map(pictureUrl)}
        files={(content.files ?? []).map((file) => ({ file, url: undefined }))}
        isFaint
      />
      {children}
    </div>
  );
}
