// Where one writes to the session. Enter sends; while a turn runs the prompt waits, or steers it.

import type { PromptContent } from '@parley/protocol';
import { ArrowUp, CornerDownRight, ImagePlus, Square } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { type AttachedImage, imagesIn } from '../../pictures/attached-image.ts';
import { ImagePreviews } from '../../pictures/image-previews.tsx';
import type { Pictures } from '../../pictures/use-pictures.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Refusal } from '../../ui/notes.tsx';

export function Composer({
  isRunning,
  isDisabled,
  suggestions,
  pictures,
  onSend,
  onInterrupt,
}: {
  isRunning: boolean;
  isDisabled: boolean;
  suggestions: readonly string[];
  pictures: Pictures;
  onSend: (content: PromptContent, options: { steer: boolean }) => void;
  onInterrupt: () => void;
}) {
  const [words, setWords] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // A phone's keyboard would cover what one came to read.
    if (window.matchMedia('(hover: hover)').matches) field.current?.focus();
  }, []);
  const canSend = !isDisabled && (words.trim() !== '' || pictures.images.length > 0);

  const send = (steer: boolean) => {
    if (!canSend) return;
    onSend(contentOf(words.trim(), pictures.images), { steer });
    setWords('');
    pictures.replace([]);
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send(event.ctrlKey || event.metaKey);
  };
  const onPaste = (event: ClipboardEvent) => {
    const files = imagesIn(event.clipboardData.files);
    if (files.length === 0) return;
    event.preventDefault();
    pictures.attach(files);
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
      <div className="rounded-2xl border border-line bg-raised shadow-sm focus-within:border-accent">
        {pictures.problem !== undefined && (
          <div className="p-2 pb-0">
            <Refusal error={new Error(pictures.problem)} />
          </div>
        )}
        <ImagePreviews images={pictures.images} onRemove={pictures.detach} />
        <textarea
          ref={field}
          id="composer"
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
            accept="image/*"
            multiple
            hidden
            onChange={(event) => {
              pictures.attach([...(event.target.files ?? [])]);
              event.target.value = '';
            }}
          />
          <IconButton label="Attach pictures" disabled={isDisabled} onClick={() => picker.current?.click()}>
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
              <IconButton
                label="Interrupt (Esc)"
                look="plain"
                className="rounded-full!"
                onClick={onInterrupt}
              >
                <Square size={13} fill="currentColor" aria-hidden />
              </IconButton>
            </>
          )}
          <IconButton
            label={isRunning ? 'Queue' : 'Send'}
            look="primary"
            className="rounded-full!"
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

function contentOf(words: string, images: readonly AttachedImage[]): PromptContent {
  if (images.length === 0) return words;
  return [
    ...images.map(({ mediaType, data }) => ({
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: mediaType, data },
    })),
    ...(words === '' ? [] : [{ type: 'text' as const, text: words }]),
  ];
}
