// The pictures that go with what is being written: attached one by one as they are read, and taken off again.
import { useCallback, useMemo, useState } from 'react';
import { type AttachedImage, attachImage, mostImages } from './attached-image.ts';

export interface Pictures {
  readonly images: readonly AttachedImage[];
  /** Why one could not be attached. */
  readonly problem: string | undefined;
  readonly attach: (files: readonly File[]) => void;
  readonly detach: (id: string) => void;
  readonly replace: (images: readonly AttachedImage[]) => void;
}

export function usePictures(): Pictures {
  const [images, setImages] = useState<readonly AttachedImage[]>([]);
  const [problem, setProblem] = useState<string>();
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
  const replace = useCallback((pictures: readonly AttachedImage[]) => {
    setImages(pictures);
    setProblem(undefined);
  }, []);
  return useMemo(
    () => ({ images, problem, attach, detach, replace }),
    [images, problem, attach, detach, replace],
  );
}
