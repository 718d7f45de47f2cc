// The command palette: type what you want to do. Pages add their own commands while they are shown.
import { Search } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { Keys } from './keys.tsx';

export interface Command {
  readonly name: string;
  /** Where it leads to a thing: which kind. Those come after what can be done. */
  readonly kind?: string;
  /** The shortcut that does the same. */
  readonly keys?: string;
  readonly run: () => void;
}

const sources = new Set<readonly Command[]>();

export function useCommands(commands: readonly Command[]): void {
  useEffect(() => {
    sources.add(commands);
    return () => {
      sources.delete(commands);
    };
  }, [commands]);
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
      title="What would you like to do?"
      wide
      // Only now: a command that moves the focus has it after the dialog gave it back.
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
  const found = useMemo(() => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    return [...sources]
      .flat()
      .filter(({ name, kind = '' }) => words.every((word) => `${name} ${kind}`.toLowerCase().includes(word)))
      .toSorted((a, b) => Number(a.kind !== undefined) - Number(b.kind !== undefined));
  }, [query]);
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
          aria-activedescendant={found[chosen] ? `${listId}-${chosen}` : undefined}
          aria-label="Search commands"
          placeholder="Search commands"
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setChosen(0);
          }}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') setChosen((at) => Math.min(at + 1, found.length - 1));
            else if (event.key === 'ArrowUp') setChosen((at) => Math.max(at - 1, 0));
            else if (event.key === 'Enter') run(found[chosen]);
            else return;
            event.preventDefault();
          }}
          className="h-10 w-full bg-transparent text-sm outline-none placeholder:text-faint pointer-coarse:text-base"
        />
      </div>
      <div id={listId} role="listbox" aria-label="Commands" className="mt-3 max-h-[45vh] overflow-y-auto">
        {found.map((command, index) => (
          <div
            key={index}
            ref={index === chosen ? intoView : undefined}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === chosen}
            tabIndex={-1}
            // A list that scrolls under a mouse at rest moves nothing.
            onMouseMove={({ movementX, movementY }) => (movementX || movementY) && setChosen(index)}
            onClick={() => run(command)}
            onKeyDown={() => undefined}
            className="flex cursor-pointer items-center justify-between gap-4 rounded-lg px-3 py-2 text-sm aria-selected:bg-accent-wash"
          >
            <span dir="auto" className="min-w-0 truncate">
              {command.name}
            </span>
            {command.kind !== undefined && (
              <span className="shrink-0 text-faint text-xs">{command.kind}</span>
            )}
            {command.keys !== undefined && <Keys of={command.keys} />}
          </div>
        ))}
        {found.length === 0 && (
          <p className="px-3 py-6 text-center text-faint text-sm">Nothing like that here.</p>
        )}
      </div>
    </div>
  );
}

function intoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' });
}
