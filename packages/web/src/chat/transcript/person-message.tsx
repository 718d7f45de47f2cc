// What a person said, with the pictures that came with it.
import type { ReactNode } from 'react';
import { address } from '../../api/http.ts';
import { moment } from '../../ui/amounts.ts';
import { classes } from '../../ui/classes.ts';

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
          <div className={classes('flex flex-wrap gap-2 py-1', images.length > 1 && 'max-w-58 sm:max-w-74')}>
            {images.map((image, index) => (
              <a key={image} href={showable(image)} target="_blank" rel="noopener noreferrer">
                <img
                  src={showable(image)}
                  alt={`Sent with the message, number ${index + 1}`}
                  className={classes(
                    'rounded-lg object-cover',
                    images.length === 1 ? 'max-h-72 max-w-full' : 'size-28 sm:size-36',
                  )}
                />
              </a>
            ))}
          </div>
        )}
        {text !== '' && (
          <p dir="auto" className="whitespace-pre-wrap break-words leading-relaxed">
            {text}
          </p>
        )}
      </div>
      <div className="flex h-8 items-center gap-1 text-faint text-xs opacity-0 transition-opacity focus-within:opacity-100 group-hover/message:opacity-100 pointer-coarse:opacity-100">
        {children}
        {at !== undefined && (
          <time dateTime={new Date(at).toISOString()} title={new Date(at).toLocaleString()}>
            {moment(at, new Date())}
          </time>
        )}
      </div>
    </div>
  );
}

function showable(image: string): string {
  return image.startsWith('data:') ? image : address(image);
}
