// The attachments of a draft with their sizes, and why one couldn't be added.
import { X } from 'lucide-react';
import { useState } from 'react';
import { t } from '../i18n/translate.ts';
import { bytes } from '../ui/amounts.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/notes.tsx';
import { ScrollBox } from '../ui/scroll-box.tsx';
import { type Attachment, maxBytes, pictureUrl, totalSize } from './attachment.ts';
import { FileChip } from './file-chip.tsx';
import type { Attachments } from './use-attachments.ts';

export function AttachedList({
  attachments,
  problem,
  onRemove,
}: Pick<Attachments, 'attachments' | 'problem'> & { onRemove: (id: string) => void }) {
  const [shown, setShown] = useState<Attachment>();
  return (
    <>
      {problem !== undefined && (
        <div className="p-2 pb-0">
          <ErrorNote error={new Error(problem)} />
        </div>
      )}
      {attachments.length > 0 && (
        <div className="px-3 pt-3">
          <ul
            aria-label={t('Attachments')}
            className="-m-2 flex max-h-44 flex-wrap gap-3 overflow-y-auto p-2"
          >
            {attachments.map((one) => (
              <li key={one.id} className="relative max-w-full">
                <Preview attachment={one} onShow={setShown} />
                <button
                  type="button"
                  aria-label={t('Remove {name}', { name: one.name })}
                  onClick={() => onRemove(one.id)}
                  className="-top-2 -right-2 absolute grid size-6 place-items-center rounded-full border border-line bg-raised text-soft shadow-sm hover:text-ink"
                >
                  <X size={13} aria-hidden />
                </button>
              </li>
            ))}
          </ul>
          <p className="mt-1.5 text-faint text-xs tabular-nums">
            {t('{size} of {most}', { size: bytes(totalSize(attachments)), most: bytes(maxBytes) })}
          </p>
        </div>
      )}
      <Dialog
        open={shown !== undefined}
        onOpenChange={() => setShown(undefined)}
        title={shown?.name ?? ''}
        wide
      >
        <ScrollBox
          label={shown?.name ?? ''}
          className="max-h-[60dvh] whitespace-pre-wrap break-words rounded-lg bg-code p-3 font-mono text-xs"
        >
          {shown && textPreview(shown)}
        </ScrollBox>
      </Dialog>
    </>
  );
}

function Preview({
  attachment,
  onShow,
}: {
  attachment: Attachment;
  onShow: (attachment: Attachment) => void;
}) {
  if (attachment.isPicture) {
    const size = attachment.size === undefined ? '' : bytes(attachment.size);
    return (
      <img
        src={pictureUrl(attachment)}
        alt={attachment.name}
        title={`${attachment.name}, ${size}`}
        className="size-18 rounded-xl border border-line object-cover"
      />
    );
  }
  if (textPreview(attachment) === undefined) return <FileChip file={attachment} />;
  return (
    <button
      type="button"
      title={t('Show {name}', { name: attachment.name })}
      onClick={() => onShow(attachment)}
      className="max-w-full rounded-xl text-left hover:bg-sunken"
    >
      <FileChip file={attachment} />
    </button>
  );
}

/** In characters of base64: a multiple of four. */
const shownLength = 64 * 1024;

/** The beginning of a text file. Undefined if the file isn't text, or if its bytes aren't here. */
function textPreview({ data }: Pick<Attachment, 'data'>): string | undefined {
  if (data === '') return undefined;
  const start = Uint8Array.from(atob(data.slice(0, shownLength)), (letter) => letter.charCodeAt(0));
  try {
    // The last character may be cut off.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true });
    return text.includes('\0') || text.startsWith('%PDF-') ? undefined : text;
  } catch {
    return undefined;
  }
}
