// The message that is being written. Its text survives a reload of the page, such as the one for a new login. While a
// message that was sent is edited, the draft is set aside.
import type { PromptContent } from '@parley/client';
import type { TurnId } from '@parley/protocol';
import { useCallback, useMemo, useRef, useState } from 'react';
import { type AttachedImage, attachedPicture, mostImages } from '../pictures/attached-image.ts';
import { type Pictures, usePictures } from '../pictures/use-pictures.ts';
import { storeText, useStoredText } from './stored-text.ts';

export interface Draft extends Pictures {
  readonly text: string;
  readonly isEmpty: boolean;
  readonly write: (text: string) => void;
  /** Puts a withdrawn message before what is already written. */
  readonly add: (content: PromptContent) => void;
  /** Sets the draft aside to edit a message that was sent. The draft comes back when that is done. */
  readonly edit: (prompt: TurnId, content: PromptContent) => void;
  /** The message that is being edited. */
  readonly editing: TurnId | undefined;
  readonly stopEditing: () => void;
  /** Moves the draft, but not the message that is being edited, to another conversation. */
  readonly moveTo: (name: string) => void;
  readonly content: () => PromptContent;
  /** The finished message. Afterwards the draft is empty, or what it was before the editing. */
  readonly take: () => PromptContent;
}

const noImages: readonly AttachedImage[] = [];

export function useDraft(name: string): Draft {
  const [text, write] = useStoredText(name);
  const [asideText, setAsideText] = useStoredText(`${name}.aside`);
  const [asideImages, setAsideImages] = useState(noImages);
  const [editing, setEditing] = useStoredText(`${name}.editing`);
  const pictures = usePictures();
  const { images, replace } = pictures;
  // For functions that stay the same while somebody types: the whole transcript depends on them.
  const now = useRef({ text, images, editing });
  now.current = { text, images, editing };

  const add = useCallback(
    (content: PromptContent) => {
      const { text: before, images: attached } = now.current;
      write([content.text, before].filter((part) => part.trim() !== '').join('\n\n'));
      replace([...content.images.map(attachedPicture), ...attached].slice(0, mostImages));
    },
    [write, replace],
  );
  const edit = useCallback(
    (prompt: TurnId, content: PromptContent) => {
      if (now.current.editing === '') {
        setAsideText(now.current.text);
        setAsideImages(now.current.images);
      }
      setEditing(prompt);
      write(content.text);
      replace(content.images.map(attachedPicture));
    },
    [write, replace, setAsideText, setEditing],
  );
  const stopEditing = useCallback(() => {
    write(asideText);
    replace(asideImages);
    setAsideText('');
    setAsideImages(noImages);
    setEditing('');
  }, [write, replace, asideText, asideImages, setAsideText, setEditing]);
  const moveTo = useCallback(
    (other: string) => {
      storeText(other, now.current.editing === '' ? now.current.text : asideText);
      for (const forget of [write, setAsideText, setEditing]) forget('');
    },
    [write, asideText, setAsideText, setEditing],
  );
  const content = useCallback(
    () => ({ text: text.trim(), images: images.map(({ mediaType, data }) => ({ mediaType, data })) }),
    [text, images],
  );
  const take = useCallback(() => {
    stopEditing();
    return content();
  }, [content, stopEditing]);

  return useMemo(
    () => ({
      ...pictures,
      text,
      isEmpty: text.trim() === '' && images.length === 0,
      write,
      add,
      edit,
      editing: editing || undefined,
      stopEditing,
      moveTo,
      content,
      take,
    }),
    [pictures, text, images, write, add, edit, editing, stopEditing, moveTo, content, take],
  );
}
