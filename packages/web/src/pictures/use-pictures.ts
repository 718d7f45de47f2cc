// The pictures attached to the message that is being written.
import { type ClipboardEvent, useCallback, useMemo, useRef, useState } from 'react';
import { errorText } from '../i18n/error-text.ts';
import { t } from '../i18n/translate.ts';
import { type AttachedImage, attachImage, imagesIn, mostImages } from './attached-image.ts';

export interface Pictures {
  readonly images: readonly AttachedImage[];
  /** Why a picture couldn't be attached. */
  readonly problem: string | undefined;
  readonly attach: (files: readonly File[]) => void;
  /** Attaches pasted pictures; pasted text is left to the field. */
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
    // Read in parallel, but kept in order: people refer to the first one and the last.
    void Promise.allSettled(files.slice(0, mostImages).map(attachImage)).then((read) => {
      const fine = read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      setImages((before) => [...before, ...fine].slice(0, mostImages));
      const refused = read.find((one) => one.status === 'rejected');
      if (refused) setProblem(errorText(refused.reason));
      else if (tooMany)
        setProblem(t('You can attach up to {count} pictures to a message.', { count: mostImages }));
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
