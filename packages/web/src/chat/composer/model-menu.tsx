// Which model answers. Shown with its name, chosen from those that the server offers.
import { Check, ChevronDown } from 'lucide-react';
import { Menu, MenuItem, MenuLabel } from '../../ui/menu.tsx';
import { modelName } from '../../ui/model-names.ts';

export function ModelMenu({
  models,
  model,
  onChoose,
}: {
  models: readonly string[];
  model: string | undefined;
  onChoose: (model: string) => void;
}) {
  const current = model ?? models[0];
  if (current === undefined) return null;
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="flex h-9 min-w-0 items-center gap-1 rounded-lg px-2.5 text-faint text-xs hover:bg-sunken hover:text-ink"
        >
          <span className="sr-only">Model: </span>
          <span className="truncate">{modelName(current)}</span>
          <ChevronDown size={13} className="shrink-0" aria-hidden />
        </button>
      }
    >
      <MenuLabel>Who answers from now on</MenuLabel>
      {models.map((name) => (
        <MenuItem key={name} onSelect={() => onChoose(name)}>
          <Check size={15} className={name === current ? 'text-accent' : 'invisible'} aria-hidden />
          {modelName(name)}
          {name === current && <span className="sr-only">, chosen</span>}
        </MenuItem>
      ))}
    </Menu>
  );
}
