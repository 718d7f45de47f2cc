// Where a message is written: words, pictures, send or stop.
import { ArrowUp, Square } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { AttachedPictures } from '../../pictures/attached-pictures.tsx';
import { PictureButton } from '../../pictures/picture-button.tsx';
import { IconButton } from '../../ui/button.tsx';
import type { Draft } from './draft.ts';

export interface ComposerProps {
  readonly draft: Draft;
  readonly isRunning: boolean;
  readonly onSend: () => void;
  readonly onStop: () => void;
  /** Arrow up in an empty field. */
  readonly onEditLast: (() => void) | undefined;
  /** Stands beside the buttons. */
  readonly children?: ReactNode;
}

const tallestPx = 220;

export function Composer({ draft, isRunning, onSend, onStop, onEditLast, children }: ComposerProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const canSend = draft.text.trim() !== '' || draft.images.length > 0;

  useEffect(() => {
    if (wantsFocus()) field.current?.focus();
  }, []);
  useEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = '0';
    element.style.height = `${Math.min(element.scrollHeight, tallestPx)}px`;
  }, [draft.text]);

  const send = () => {
    if (canSend) onSend();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      send();
    } else if (event.key === 'ArrowUp' && draft.text === '' && onEditLast) {
      event.preventDefault();
      onEditLast();
    } else if (event.key === 'Escape' && !isRunning) {
      // Outside the field single keys are shortcuts.
      field.current?.blur();
    }
  };

  return (
    <form
      aria-label="Write a message"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      className="rounded-2xl border border-line bg-raised shadow-sm transition-colors focus-within:border-accent"
    >
      <AttachedPictures images={draft.images} problem={draft.problem} onRemove={draft.detach} />
      <textarea
        ref={field}
        id="composer"
        dir="auto"
        rows={1}
        aria-label="Message"
        placeholder={isRunning ? 'Write the next message …' : 'Write a message …'}
        value={draft.text}
        onChange={(event) => draft.write(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={draft.paste}
        className="block max-h-56 w-full resize-none bg-transparent px-4 pt-3.5 pb-1 text-base leading-relaxed outline-none placeholder:text-faint"
      />
      <div className="flex items-center gap-1 p-2">
        <PictureButton onFiles={draft.attach} />
        <div className="flex min-w-0 flex-1 items-center gap-1">{children}</div>
        {isRunning && (
          <IconButton label="Stop" look="plain" className="rounded-full!" onClick={onStop}>
            <Square size={13} fill="currentColor" aria-hidden />
          </IconButton>
        )}
        {(!isRunning || canSend) && (
          <IconButton
            label={isRunning ? 'Send after this answer' : 'Send'}
            look="primary"
            className="rounded-full!"
            type="submit"
            disabled={!canSend}
          >
            <ArrowUp size={18} aria-hidden />
          </IconButton>
        )}
      </div>
    </form>
  );
}

/** Whoever opens a page wants to write, unless a keyboard would cover it, or they go through the page by keyboard. */
function wantsFocus(): boolean {
  const { activeElement, body } = document;
  const isElsewhere =
    activeElement !== null && activeElement !== body && activeElement.matches(':focus-visible');
  return !isElsewhere && window.matchMedia('(pointer: fine)').matches;
}
