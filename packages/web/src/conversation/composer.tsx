// Where people write a message: text, attachments, slash commands and menus. Enter sends it. While a turn runs, the
// message waits in the queue or steers the turn.

import type { OfferedCommand } from '@parley/protocol';
import { ArrowUp, CornerDownRight, File, Folder, Pencil, Square, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { AttachButton } from '../attachments/attach-button.tsx';
import { AttachedList } from '../attachments/attached-list.tsx';
import { t } from '../i18n/translate.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { OptionList, optionId } from '../ui/option-list.tsx';
import { type FileFinder, type Option, useCompletion } from './use-completion.ts';
import type { Draft } from './use-draft.ts';

export interface ComposerProps {
  readonly draft: Draft;
  readonly placeholder: string;
  readonly isRunning?: boolean;
  readonly canSteer?: boolean;
  /** Slash commands that a message may start with. */
  readonly commands?: readonly OfferedCommand[];
  /** Files that a message may name after an `@`. */
  readonly files?: FileFinder | undefined;
  /** Menus for the model and the like. */
  readonly menus?: ReactNode;
  readonly onSend: (options: { steer: boolean }) => void;
  readonly onStop?: () => void;
  /** What to know about editing a message here. */
  readonly editHint?: string | undefined;
  /** Called for Arrow Up in an empty field. */
  readonly onEditLast?: (() => void) | undefined;
}

const noCommands: readonly OfferedCommand[] = [];

export function Composer({
  draft,
  placeholder,
  isRunning = false,
  canSteer = false,
  commands = noCommands,
  files,
  menus,
  onSend,
  onStop,
  editHint,
  onEditLast,
}: ComposerProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const completion = useCompletion(draft.text, commands, files, draft.write);
  const { found, chosen } = completion;
  const canSend = !draft.isEmpty;
  const canComplete = commands.length > 0 || files !== undefined;

  useEffect(() => {
    if (wantsFocus()) field.current?.focus();
  }, []);
  useEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = '0';
    element.style.height = `${element.scrollHeight}px`;
  }, [draft.text]);

  const send = (steer: boolean) => {
    if (!canSend) return;
    onSend({ steer });
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || completion.onKey(event)) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      send(canSteer && isRunning && (event.ctrlKey || event.metaKey));
    } else if (event.key === 'ArrowUp' && draft.text === '' && onEditLast) {
      event.preventDefault();
      onEditLast();
    }
  };

  return (
    <form
      aria-label={t('Write a message')}
      onSubmit={(event) => {
        event.preventDefault();
        send(false);
      }}
      data-tour="composer"
      className="relative rounded-2xl border border-line bg-raised shadow-sm transition-colors focus-within:border-accent"
    >
      <p aria-live="polite" className="sr-only">
        {found[0] &&
          ('path' in found[0]
            ? t('{count, plural, one {# file} other {# files}}', { count: found.length })
            : t('{count, plural, one {# command} other {# commands}}', { count: found.length }))}
      </p>
      {found.length > 0 && (
        <OptionList
          id={listId}
          label={found[0] && 'path' in found[0] ? t('Files') : t('Commands')}
          options={found}
          chosen={chosen}
          onChoose={completion.choose}
          onTake={completion.take}
          className="absolute inset-x-0 bottom-full z-20 mb-2 max-h-[40dvh] rounded-xl border border-line bg-raised p-1 shadow-lg"
        >
          {(option) => <CompletionOption option={option} />}
        </OptionList>
      )}
      {draft.editing !== undefined && (
        <p className="flex items-center gap-2 border-line border-b py-1 pr-1 pl-4 text-soft text-sm">
          <Pencil size={14} aria-hidden />
          <span className="min-w-0 flex-1">
            {t('Editing a message. The old version stays, and your draft comes back afterwards.')} {editHint}
          </span>
          <IconButton
            label={t('Stop editing')}
            className="size-8"
            onClick={() => {
              draft.stopEditing();
              field.current?.focus();
            }}
          >
            <X size={15} aria-hidden />
          </IconButton>
        </p>
      )}
      <AttachedList attachments={draft.attachments} problem={draft.problem} onRemove={draft.detach} />
      <textarea
        ref={field}
        id="composer"
        dir="auto"
        rows={1}
        aria-label={t('Message')}
        // Not a combobox: that role is not for fields with several lines.
        aria-autocomplete={canComplete ? 'list' : undefined}
        aria-haspopup={canComplete ? 'listbox' : undefined}
        aria-controls={found.length > 0 ? listId : undefined}
        aria-activedescendant={found[chosen] && optionId(listId, chosen)}
        placeholder={isRunning ? t('Write the next message …') : placeholder}
        value={draft.text}
        onChange={({ target }) => {
          draft.write(target.value);
          completion.onWritten(target.value, target.selectionEnd);
        }}
        onKeyDown={onKeyDown}
        onBlur={completion.close}
        onPaste={draft.paste}
        className="block max-h-[35dvh] min-h-11 w-full resize-none bg-transparent px-4 pt-3.5 pb-1 text-base leading-relaxed outline-none placeholder:text-faint"
      />
      <div className="flex items-center gap-1 p-2">
        <AttachButton onFiles={draft.attach} />
        <div className="flex min-w-0 flex-1 items-center">{menus}</div>
        {isRunning && canSteer && canSend && (
          <Button look="quiet" onClick={() => send(true)} title={t('Add to the running turn (Ctrl+Enter)')}>
            <CornerDownRight size={16} aria-hidden />
            {t('Steer')}
          </Button>
        )}
        {isRunning && (
          <IconButton label={t('Stop')} look="plain" className="rounded-full!" onClick={onStop}>
            <Square size={13} fill="currentColor" aria-hidden />
          </IconButton>
        )}
        <IconButton
          label={isRunning ? t('Add to queue') : t('Send')}
          look="primary"
          className="rounded-full!"
          type="submit"
          disabled={!canSend}
        >
          <ArrowUp size={18} aria-hidden />
        </IconButton>
      </div>
    </form>
  );
}

function CompletionOption({ option }: { option: Option }) {
  if ('path' in option) {
    return (
      <span className="flex min-w-0 items-center gap-2">
        {option.folder ? (
          <Folder size={15} className="shrink-0 text-accent" aria-hidden />
        ) : (
          <File size={15} className="shrink-0 text-faint" aria-hidden />
        )}
        <bdi className="truncate font-mono">{option.path}</bdi>
      </span>
    );
  }
  const { name, description, hint } = option;
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

/** People who open a page want to write, unless an on-screen keyboard would cover it or they navigate by keyboard. */
function wantsFocus(): boolean {
  const { activeElement, body } = document;
  const isElsewhere =
    activeElement !== null && activeElement !== body && activeElement.matches(':focus-visible');
  return !isElsewhere && window.matchMedia('(pointer: fine)').matches;
}
