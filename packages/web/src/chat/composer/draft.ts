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
  const { images, problem, attach, detach, replace: replaceImages } = usePictures();

  const write = useCallback(
    (words: string) => {
      setText(words);
      if (words === '') sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, words);
    },
    [key],
  );
  const replace = useCallback(
    (words: string, pictures: readonly AttachedImage[]) => {
      write(words);
      replaceImages(pictures);
    },
    [write, replaceImages],
  );
  const clear = useCallback(() => replace('', []), [replace]);

  return useMemo(
    () => ({ text, images, problem, write, attach, detach, replace, clear }),
    [text, images, problem, write, attach, detach, replace, clear],
  );
}
