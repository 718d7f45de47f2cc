// The message that is being written. Its words outlive a reload of the page, such as the one for a new login.
import { useCallback, useMemo, useState } from 'react';
import type { AttachedImage } from '../../pictures/attached-image.ts';
import { type Pictures, usePictures } from '../../pictures/use-pictures.ts';

export interface Draft extends Omit<Pictures, 'replace'> {
  readonly text: string;
  readonly write: (text: string) => void;
  readonly replace: (text: string, images: readonly AttachedImage[]) => void;
  readonly clear: () => void;
}

export function useDraft(name: string): Draft {
  const key = `parley.draft.${name}`;
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? '');
  const pictures = usePictures();
  const { replace: replaceImages } = pictures;

  const write = useCallback(
    (words: string) => {
      setText(words);
      if (words === '') sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, words);
    },
    [key],
  );
  const replace = useCallback(
    (words: string, images: readonly AttachedImage[]) => {
      write(words);
      replaceImages(images);
    },
    [write, replaceImages],
  );
  const clear = useCallback(() => replace('', []), [replace]);

  return useMemo(
    () => ({ ...pictures, text, write, replace, clear }),
    [pictures, text, write, replace, clear],
  );
}
