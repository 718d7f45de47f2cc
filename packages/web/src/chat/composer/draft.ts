// The message that is being written. Its words outlive a reload of the page, such as the one for a new login.
import { useCallback, useMemo, useState } from 'react';
import { type AttachedImage, attachImage, mostImages } from './attached-image.ts';

export interface Draft {
  readonly text: string;
  readonly images: readonly AttachedImage[];
  /** Why a picture could not be attached. */
  readonly problem: string | undefined;
  readonly write: (text: string) => void;
  readonly attach: (files: readonly File[]) => void;
  readonly detach: (id: string) => void;
  readonly replace: (text: string, images: readonly AttachedImage[]) => void;
  readonly clear: () => void;
}

export function useDraft(name: string): Draft {
  const key = `parley.draft.${name}`;
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? '');
  const [images, setImages] = useState<readonly AttachedImage[]>([]);
  const [problem, setProblem] = useState<string>();

  const write = useCallback(
    (words: string) => {
      setText(words);
      if (words === '') sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, words);
    },
    [key],
  );
  const attach = useCallback((files: readonly File[]) => {
    setProblem(undefined);
    for (const file of files) {
      attachImage(file).then(
        (image) =>
          setImages((before) => {
            if (before.length < mostImages) return [...before, image];
            setProblem(`At most ${mostImages} pictures go with one message.`);
            return before;
          }),
        (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
      );
    }
  }, []);
  const detach = useCallback((id: string) => {
    setProblem(undefined);
    setImages((before) => before.filter((image) => image.id !== id));
  }, []);
  const replace = useCallback(
    (words: string, pictures: readonly AttachedImage[]) => {
      write(words);
      setImages(pictures);
      setProblem(undefined);
    },
    [write],
  );
  const clear = useCallback(() => replace('', []), [replace]);

  return useMemo(
    () => ({ text, images, problem, write, attach, detach, replace, clear }),
    [text, images, problem, write, attach, detach, replace, clear],
  );
}
