// Where one writes to the session. Enter sends; while a turn runs the prompt waits, or steers it.

import type { PromptContent } from '@parley/protocol';
import { ArrowUp, CornerDownRight, ImagePlus, Square, X } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { readPictures, type WaitingPicture } from './pictures.ts';

export function Composer({
  isRunning,
  isDisabled,
  suggestions,
  onSend,
  onInterrupt,
}: {
  isRunning: boolean;
  isDisabled: boolean;
  suggestions: readonly string[];
  onSend: (content: PromptContent, options: { steer: boolean }) => void;
  onInterrupt: () => void;
}) {
  const [words, setWords] = useState('');
  const [pictures, setPictures] = useState<readonly WaitingPicture[]>([]);
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // A phone's keyboard would cover what one came to read.
    if (window.matchMedia('(hover: hover)').matches) field.current?.focus();
  }, []);
  const canSend = !isDisabled && (words.trim() !== '' || pictures.length > 0);

  const send = (steer: boolean) => {
    if (!canSend) return;
    onSend(contentOf(words.trim(), pictures), { steer });
    setWords('');
    setPictures([]);
    field.current?.focus();
  };
  const add = async (files: FileList | null) => {
    const read = await readPictures(files);
    setPictures((before) => [...before, ...read]);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send(event.ctrlKey || event.metaKey);
  };
  const onPaste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    void add(event.clipboardData.files);
  };

  return (
    <div className="grid gap-2">
      {suggestions.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {suggestions.map((suggestion) => (
            <Button
              key={suggestion}
              className="min-h-8 rounded-full px-3 text-xs"
              onClick={() => onSend(suggestion, { steer: false })}
            >
              {suggestion}
            </Button>
          ))}
        </div>
      )}
      <div
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          void add(event.dataTransfer.files);
        }}
        className="rounded-2xl border border-line bg-raised shadow-sm focus-within:border-accent"
      >
        {pictures.length > 0 && (
          <ul className="flex flex-wrap gap-2 px-3 pt-3">
            {pictures.map((picture, at) => (
              <li key={at} className="relative">
                <img
                  src={`data:${picture.media_type};base64,${picture.data}`}
                  alt={picture.name}
                  className="size-16 rounded-lg border border-line object-cover"
                />
                <IconButton
                  label={`Remove ${picture.name}`}
                  look="plain"
                  onClick={() => setPictures(pictures.filter((one) => one !== picture))}
                  className="-top-2 -right-2 absolute size-6 rounded-full"
                >
                  <X size={13} aria-hidden />
                </IconButton>
              </li>
            ))}
          </ul>
        )}
        <textarea
          ref={field}
          aria-label="Prompt"
          placeholder={isRunning ? 'Write the next prompt …' : 'What should Claude do?'}
          rows={1}
          value={words}
          disabled={isDisabled}
          onChange={(event) => setWords(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          className="field-sizing-content block max-h-[35vh] min-h-11 w-full resize-none bg-transparent px-4 pt-3 pb-1 leading-relaxed outline-none placeholder:text-faint"
        />
        <div className="flex items-center gap-1 px-2 pb-2">
          <input
            ref={picker}
            type="file"
            accept="image/png,image/jpeg,image/gif,image/webp"
            multiple
            hidden
            onChange={(event) => {
              void add(event.target.files);
              event.target.value = '';
            }}
          />
          <IconButton label="Add images" disabled={isDisabled} onClick={() => picker.current?.click()}>
            <ImagePlus size={18} aria-hidden />
          </IconButton>
          <span className="flex-1" />
          {isRunning && (
            <>
              {canSend && (
                <Button look="quiet" onClick={() => send(true)} title="Add to the running turn (Ctrl+Enter)">
                  <CornerDownRight size={16} aria-hidden />
                  Steer
                </Button>
              )}
              <IconButton label="Interrupt (Esc)" look="danger" onClick={onInterrupt}>
                <Square size={15} fill="currentColor" aria-hidden />
              </IconButton>
            </>
          )}
          <IconButton
            label={isRunning ? 'Queue' : 'Send'}
            look="primary"
            disabled={!canSend}
            onClick={() => send(false)}
          >
            <ArrowUp size={18} aria-hidden />
          </IconButton>
        </div>
      </div>
    </div>
  );
}

function contentOf(words: string, pictures: readonly WaitingPicture[]): PromptContent {
  if (pictures.length === 0) return words;
  return [
    ...pictures.map(({ media_type, data }) => ({
      type: 'image' as const,
      source: { type: 'base64' as const, media_type, data },
    })),
    ...(words === '' ? [] : [{ type: 'text' as const, text: words }]),
  ];
}
