// The command palette. Pages add their own commands while they are shown.
import { Search } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { t } from '../i18n/translate.ts';
import { Dialog } from '../ui/dialog.tsx';
import { nextOption, OptionList, optionId } from '../ui/option-list.tsx';
import { Keys } from './keys.tsx';
import { createRegistry } from './registry.ts';
import { type Shortcut, useShortcuts } from './shortcuts.ts';

export interface Command {
  readonly name: string;
  /** What kind of thing it opens, if any. These commands come last. */
  readonly kind?: string;
  readonly keys?: Shortcut['keys'];
  readonly run: () => void;
}

const all = createRegistry<Command>();

/** A command with keys is a shortcut as well. */
export function useCommands(commands: readonly Command[]): void {
  useEffect(() => all.add(commands), [commands]);
  useShortcuts(
    useMemo(
      () =>
        commands.flatMap(({ name, keys, ...rest }) =>
          keys === undefined ? [] : [{ keys, does: name, ...rest }],
        ),
      [commands],
    ),
  );
}

export function CommandPalette({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const chosen = useRef<Command>(undefined);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('What would you like to do?')}
      wide
      // Runs after the dialog has returned the focus, because the command may move it.
      onClosed={() => {
        chosen.current?.run();
        chosen.current = undefined;
      }}
    >
      <Palette
        onChoose={(command) => {
          chosen.current = command;
          onOpenChange(false);
        }}
      />
    </Dialog>
  );
}

function Palette({ onChoose }: { onChoose: (command: Command) => void }) {
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(0);
  const listId = useId();
  const commands = useSyncExternalStore(all.subscribe, all.snapshot);
  const found = useMemo(() => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    return commands
      .filter(({ name, kind = '' }) => words.every((word) => `${name} ${kind}`.toLowerCase().includes(word)))
      .toSorted((a, b) => Number(a.kind !== undefined) - Number(b.kind !== undefined));
  }, [commands, query]);
  const run = (command: Command | undefined) => command && onChoose(command);

  return (
    <div>
      <div className="flex items-center gap-2 rounded-lg border border-line bg-paper px-3 focus-within:border-accent">
        <Search size={16} className="text-faint" aria-hidden />
        <input
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={found[chosen] && optionId(listId, chosen)}
          aria-label={t('Search commands')}
          placeholder={t('Search commands')}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setChosen(0);
          }}
          onKeyDown={(event) => {
            const next = nextOption(event.key, chosen, found.length);
            if (next !== undefined) setChosen(next);
            else if (event.key === 'Enter') run(found[chosen]);
            else return;
            event.preventDefault();
          }}
          className="h-10 w-full bg-transparent text-sm outline-none placeholder:text-faint pointer-coarse:text-base"
        />
      </div>
      <OptionList
        id={listId}
        label={t('Commands')}
        options={found}
        chosen={chosen}
        onChoose={setChosen}
        onTake={run}
        className="mt-3 max-h-[45vh]"
      >
        {({ name, kind, keys }) => (
          <>
            <span dir="auto" className="min-w-0 truncate">
              {name}
            </span>
            {kind !== undefined && <span className="shrink-0 text-faint text-xs">{kind}</span>}
            {keys !== undefined && <Keys of={keys} />}
          </>
        )}
      </OptionList>
      {found.length === 0 && (
        <p className="px-3 py-6 text-center text-faint text-sm">{t('No matching commands.')}</p>
      )}
    </div>
  );
}
