// Where one writes to the session. Enter sends; while a turn runs the prompt waits, or steers it.
import type { PromptContent } from '@parley/protocol';
import { ArrowUp, CornerDownRight, Square } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { AttachedImage } from '../../pictures/attached-image.ts';
import { AttachedPictures } from '../../pictures/attached-pictures.tsx';
import { PictureButton } from '../../pictures/picture-button.tsx';
import type { Pictures } from '../../pictures/use-pictures.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { OptionList, optionId } from '../../ui/option-list.tsx';
import type { OfferedCommand } from '../model/offered-commands.ts';
import { useCompletion } from './use-completion.ts';

export function Composer({
  isRunning,
  isDisabled,
  suggestions,
  commands,
  pictures,
  onSend,
  onInterrupt,
}: {
  isRunning: boolean;
  isDisabled: boolean;
  suggestions: readonly string[];
  /** Those of the program, which a prompt may begin with. */
  commands: readonly OfferedCommand[];
  pictures: Pictures;
  onSend: (content: PromptContent, options: { steer: boolean }) => void;
  onInterrupt: () => void;
}) {
  const [words, setWords] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const completion = useCompletion(words, commands, setWords);
  const { found, chosen } = completion;
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
    if (event.nativeEvent.isComposing || completion.onKey(event)) return;
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    send(event.ctrlKey || event.metaKey);
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
      <div className="relative rounded-2xl border border-line bg-raised shadow-sm focus-within:border-accent">
        <p aria-live="polite" className="sr-only">
          {found.length > 0 && `${found.length} ${found.length === 1 ? 'command' : 'commands'}`}
        </p>
        {found.length > 0 && (
          <OptionList
            id={listId}
            label="Commands"
            options={found}
            chosen={chosen}
            onChoose={completion.choose}
            onTake={completion.take}
            className="absolute inset-x-0 bottom-full z-20 mb-2 max-h-[40dvh] rounded-xl border border-line bg-raised p-1 shadow-lg"
          >
            {(command) => <CommandOption command={command} />}
          </OptionList>
        )}
        <AttachedPictures images={pictures.images} problem={pictures.problem} onRemove={pictures.detach} />
        <textarea
          ref={field}
          id="composer"
          aria-label="Prompt"
          // Not a combobox: that role is not for fields of several lines.
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={found.length > 0 ? listId : undefined}
          aria-activedescendant={found[chosen] && optionId(listId, chosen)}
          placeholder={isRunning ? 'Write the next prompt …' : 'What should Claude do?'}
          rows={1}
          value={words}
          disabled={isDisabled}
          onChange={({ target }) => {
            setWords(target.value);
            completion.onWritten(target.value);
          }}
          onKeyDown={onKeyDown}
          onBlur={completion.close}
          onPaste={pictures.paste}
          className="field-sizing-content block max-h-[35vh] min-h-11 w-full resize-none bg-transparent px-4 pt-3 pb-1 leading-relaxed outline-none placeholder:text-faint"
        />
        <div className="flex items-center gap-1 px-2 pb-2">
          <PictureButton isDisabled={isDisabled} onFiles={pictures.attach} />
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

function CommandOption({ command: { name, description, hint } }: { command: OfferedCommand }) {
  return (
    <span className="min-w-0">
      <span className="font-medium font-mono">/{name}</span>
      {hint !== undefined && <span className="ml-2 font-mono text-faint text-xs">{hint}</span>}
      {description !== undefined && (
        <span className="line-clamp-2 block text-soft text-xs">{description}</span>
      )}
    </span>
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
