// The pictures that will go with the message.
import { X } from 'lucide-react';
import type { AttachedImage } from './attached-image.ts';

export function ImagePreviews({
  images,
  onRemove,
}: {
  images: readonly AttachedImage[];
  onRemove: (id: string) => void;
}) {
  if (images.length === 0) return null;
  return (
    <ul aria-label="Attached pictures" className="flex flex-wrap gap-2 px-3 pt-3">
      {images.map(({ id, name, url }) => (
        <li key={id} className="relative">
          <img src={url} alt={name} className="size-18 rounded-xl border border-line object-cover" />
          <button
            type="button"
            aria-label={`Remove ${name}`}
            onClick={() => onRemove(id)}
            className="-top-2 -right-2 absolute grid size-6 place-items-center rounded-full border border-line bg-raised text-soft shadow-sm hover:text-ink"
          >
            <X size={13} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  );
}
