// The message that is being written. Its text survives a reload of the page, such as the one for a new login.
import type { PromptContent } from '@parley/client';
import { useCallback, useMemo, useState } from 'react';
import { attachedPicture } from '../pictures/attached-image.ts';
import { type Pictures, usePictures } from '../pictures/use-pictures.ts';

export interface Draft extends Pictures {
  readonly text: string;
  readonly isEmpty: boolean;
  readonly write: (text: string) => void;
  /** Starts over with this message, for example to edit one that was sent. */
  readonly load: (content: PromptContent) => void;
  readonly content: () => PromptContent;
  /** The finished message; the draft is empty afterwards. */
  readonly take: () => PromptContent;
}

export function useDraft(name: string): Draft {
  const key = `parley.draft.${name}`;
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? '');
  const pictures = usePictures();
  const { images, replace } = pictures;

  const write = useCallback(
    (words: string) => {
      setText(words);
      if (words === '') sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, words);
    },
    [key],
  );
  const load = useCallback(
    (content: PromptContent) => {
      write(content.text);
      replace(content.images.map(attachedPicture));
    },
    [write, replace],
  );
  const content = useCallback(
    () => ({ text: text.trim(), images: images.map(({ mediaType, data }) => ({ mediaType, data })) }),
    [text, images],
  );
  const take = useCallback(() => {
    write('');
    replace([]);
    return content();
  }, [content, write, replace]);

  return useMemo(
    () => ({
      ...pictures,
      text,
      isEmpty: text.trim() === '' && images.length === 0,
      write,
      load,
      content,
      take,
    }),
    [pictures, text, images, write, load, content, take],
  );
}
