// The pictures that go with what is being written: attached one by one as they are read, and taken off again.
import { type ClipboardEvent, useCallback, useMemo, useRef, useState } from 'react';
import { type AttachedImage, attachImage, imagesIn, mostImages } from './attached-image.ts';

export interface Pictures {
  readonly images: readonly AttachedImage[];
  /** Why one could not be attached. */
  readonly problem: string | undefined;
  readonly attach: (files: readonly File[]) => void;
  /** Takes the pictures of what is pasted; words are left to the field. */
  readonly paste: (event: ClipboardEvent) => void;
  readonly detach: (id: string) => void;
  readonly replace: (images: readonly AttachedImage[]) => void;
}

export function usePictures(): Pictures {
  const [images, setImages] = useState<readonly AttachedImage[]>([]);
  const [problem, setProblem] = useState<string>();
  const attached = useRef(0);
  attached.current = images.length;
  const attach = useCallback((files: readonly File[]) => {
    setProblem(undefined);
    const tooMany = attached.current + files.length > mostImages;
    // Read side by side, and put down in their order: people speak of the first one and the last.
    void Promise.allSettled(files.slice(0, mostImages).map(attachImage)).then((read) => {
      const fine = read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      setImages((before) => [...before, ...fine].slice(0, mostImages));
      const refused = read.find((one) => one.status === 'rejected');
      if (refused) setProblem(sentence(refused.reason));
      else if (tooMany) setProblem(`At most ${mostImages} pictures go with one message.`);
    });
  }, []);
  const paste = useCallback(
    (event: ClipboardEvent) => {
      const files = imagesIn(event.clipboardData.files);
      if (files.length === 0) return;
      event.preventDefault();
      attach(files);
    },
    [attach],
  );
  const detach = useCallback((id: string) => {
    setProblem(undefined);
    setImages((before) => before.filter((image) => image.id !== id));
  }, []);
  const replace = useCallback((pictures: readonly AttachedImage[]) => {
    setImages(pictures);
    setProblem(undefined);
  }, []);
  return useMemo(
    () => ({ images, problem, attach, paste, detach, replace }),
    [images, problem, attach, paste, detach, replace],
  );
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
