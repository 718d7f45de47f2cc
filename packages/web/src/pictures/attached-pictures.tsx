// The pictures that will be sent with the message, and why one of them can't be.
import { X } from 'lucide-react';
import { t } from '../i18n/translate.ts';
import { Refusal } from '../ui/notes.tsx';
import type { Pictures } from './use-pictures.ts';

export function AttachedPictures({
  images,
  problem,
  onRemove,
}: Pick<Pictures, 'images' | 'problem'> & { onRemove: (id: string) => void }) {
  return (
    <>
      {problem !== undefined && (
        <div className="p-2 pb-0">
          <Refusal error={new Error(problem)} />
        </div>
      )}
      {images.length > 0 && (
        <ul aria-label={t('Attached pictures')} className="flex flex-wrap gap-2 px-3 pt-3">
          {images.map(({ id, name, url }) => (
            <li key={id} className="relative">
              <img src={url} alt={name} className="size-18 rounded-xl border border-line object-cover" />
              <button
                type="button"
                aria-label={t('Remove {name}', { name })}
                onClick={() => onRemove(id)}
                className="-top-2 -right-2 absolute grid size-6 place-items-center rounded-full border border-line bg-raised text-soft shadow-sm hover:text-ink"
              >
                <X size={13} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
