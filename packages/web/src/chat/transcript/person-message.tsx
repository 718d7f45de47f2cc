// What a person said, with the pictures that came with it.
import type { ReactNode } from 'react';
import { address } from '../../api/http.ts';
import { classes } from '../../ui/classes.ts';
import { clock } from './turn-cost.tsx';

export function PersonMessage({
  text,
  images,
  at,
  isOnItsWay = false,
  children,
}: {
  text: string;
  /** Their addresses. */
  images: readonly string[];
  at?: number;
  isOnItsWay?: boolean;
  children?: ReactNode;
}) {
  return (
    <div className="group/message flex flex-col items-end">
      <h2 className="sr-only">You</h2>
      <div
        className={classes(
          'max-w-[85%] rounded-2xl rounded-br-md bg-accent-wash px-4 py-2.5',
          isOnItsWay && 'opacity-60',
        )}
      >
        {images.length > 0 && (
          <div className="mb-2 flex flex-wrap justify-end gap-2 pt-1">
            {images.map((image, index) => (
              <a key={image} href={showable(image)} target="_blank" rel="noopener noreferrer">
                <img
                  src={showable(image)}
                  alt={`Sent with the message, number ${index + 1}`}
                  className="max-h-44 max-w-full rounded-lg object-cover"
                />
              </a>
            ))}
          </div>
        )}
        {text !== '' && <p className="whitespace-pre-wrap break-words leading-relaxed">{text}</p>}
      </div>
      <div className="flex h-8 items-center gap-1 text-faint text-xs opacity-0 transition-opacity focus-within:opacity-100 group-hover/message:opacity-100 pointer-coarse:opacity-100">
        {children}
        {at !== undefined && (
          <time dateTime={new Date(at).toISOString()} title={new Date(at).toLocaleString()}>
            {clock(at)}
          </time>
        )}
      </div>
    </div>
  );
}

function showable(image: string): string {
  return image.startsWith('data:') ? image : address(image);
}
