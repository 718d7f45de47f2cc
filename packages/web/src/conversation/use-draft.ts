// The message that is being written. It survives a reload of the page, such as the one for a new login. While a message
// that was sent is edited, the draft is set aside.
import type { PromptContent } from '@parley/client';
import type { TurnId } from '@parley/protocol';
import { useCallback, useMemo, useRef } from 'react';
import { attachmentsOf, contentWith, within } from '../attachments/attachment.ts';
import { storeAttachments, useStoredAttachments } from '../attachments/stored-attachments.ts';
import { type Attachments, useAttachments } from '../attachments/use-attachments.ts';
import { storeText, useStoredText } from './stored-text.ts';

export interface Draft extends Attachments {
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

export function useDraft(name: string): Draft {
  const [text, write] = useStoredText(name);
  const [asideText, setAsideText] = useStoredText(`${name}.aside`);
  const [asideFiles, setAsideFiles] = useStoredAttachments(`${name}.aside`);
  const [editing, setEditing] = useStoredText(`${name}.editing`);
  const attached = useAttachments(name);
  const { attachments, replace } = attached;
  // For functions that stay the same while somebody types: the whole transcript depends on them.
  const now = useRef({ text, attachments, editing });
  now.current = { text, attachments, editing };

  const add = useCallback(
    (content: PromptContent) => {
      const { text: before, attachments: others } = now.current;
      write([content.text, before].filter((part) => part.trim() !== '').join('\n\n'));
      replace(within([...attachmentsOf(content), ...others]).kept);
    },
    [write, replace],
  );
  const edit = useCallback(
    (prompt: TurnId, content: PromptContent) => {
      if (now.current.editing === '') {
        setAsideText(now.current.text);
        const { attachments: aside } = now.current;
        setAsideFiles(() => aside);
      }
      setEditing(prompt);
      write(content.text);
      replace(attachmentsOf(content));
    },
    [write, replace, setAsideText, setAsideFiles, setEditing],
  );
  const stopEditing = useCallback(() => {
    write(asideText);
    replace(asideFiles);
    setAsideText('');
    setAsideFiles(() => []);
    setEditing('');
  }, [write, replace, asideText, asideFiles, setAsideText, setAsideFiles, setEditing]);
  const moveTo = useCallback(
    (other: string) => {
      const { editing: prompt, text: words, attachments: files } = now.current;
      storeText(other, prompt === '' ? words : asideText);
      storeAttachments(other, prompt === '' ? files : asideFiles);
      for (const forget of [write, setAsideText, setEditing]) forget('');
      replace([]);
      setAsideFiles(() => []);
    },
    [write, replace, asideText, asideFiles, setAsideText, setAsideFiles, setEditing],
  );
  const content = useCallback(() => contentWith(text.trim(), attachments), [text, attachments]);
  const take = useCallback(() => {
    stopEditing();
    return content();
  }, [content, stopEditing]);

  return useMemo(
    () => ({
      ...attached,
      text,
      isEmpty: text.trim() === '' && attachments.length === 0,
      write,
      add,
      edit,
      editing: editing || undefined,
      stopEditing,
      moveTo,
      content,
      take,
    }),
    [attached, text, attachments, write, add, edit, editing, stopEditing, moveTo, content, take],
  );
}
