// The command palette: type what you want to do. Pages add their own commands while they are shown.
import { Search } from 'lucide-react';
import { useEffect, useId, useMemo, useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';

export interface Command {
  readonly name: string;
  readonly hint?: string;
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
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="What would you like to do?" wide>
      <Palette onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function Palette({ onDone }: { onDone: () => void }) {
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(0);
  const listId = useId();
  const found = useMemo(() => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    return [...sources]
      .flat()
      .filter(({ name, hint = '' }) => words.every((word) => `${name} ${hint}`.toLowerCase().includes(word)));
  }, [query]);
  const run = (command: Command | undefined) => {
    if (!command) return;
    onDone();
    command.run();
  };

  return (
    <div>
      <div className="flex items-center gap-2 rounded-lg border border-line bg-paper px-3 focus-within:border-accent">
        <Search size={16} className="text-faint" aria-hidden />
        <input
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
          className="h-10 w-full bg-transparent text-sm outline-none placeholder:text-faint"
        />
      </div>
      <div id={listId} role="listbox" aria-label="Commands" className="mt-3 max-h-[45vh] overflow-y-auto">
        {found.map((command, index) => (
          <div
            key={command.name}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === chosen}
            tabIndex={-1}
            onMouseMove={() => setChosen(index)}
            onClick={() => run(command)}
            onKeyDown={() => undefined}
            className="flex cursor-pointer items-center justify-between gap-4 rounded-lg px-3 py-2 text-sm aria-selected:bg-accent-wash"
          >
            <span>{command.name}</span>
            {command.hint !== undefined && <span className="text-faint text-xs">{command.hint}</span>}
          </div>
        ))}
        {found.length === 0 && (
          <p className="px-3 py-6 text-center text-faint text-sm">Nothing like that here.</p>
        )}
      </div>
    </div>
  );
}
