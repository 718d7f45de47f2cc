// A list of options for a field that keeps the focus and points to the chosen one with `aria-activedescendant`.
import type { ReactNode } from 'react';
import { classes } from './classes.ts';

export function OptionList<Option>({
  id,
  label,
  options,
  chosen,
  onChoose,
  onTake,
  className,
  children,
}: {
  id: string;
  label: string;
  options: readonly Option[];
  /** Its index. */
  chosen: number;
  onChoose: (at: number) => void;
  onTake: (option: Option) => void;
  className: string;
  children: (option: Option) => ReactNode;
}) {
  return (
    <div id={id} role="listbox" aria-label={label} className={classes('overflow-y-auto', className)}>
      {options.map((option, at) => (
        <div
          key={at}
          ref={at === chosen ? intoView : undefined}
          id={optionId(id, at)}
          role="option"
          aria-selected={at === chosen}
          tabIndex={-1}
          // Ignores a list that scrolls under a resting mouse.
          onMouseMove={({ movementX, movementY }) => (movementX || movementY) && onChoose(at)}
          // Keeps the focus in the field, and the keyboard open on a phone.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(option)}
          onKeyDown={() => undefined}
          className="flex cursor-pointer items-center justify-between gap-4 rounded-lg px-3 py-2 text-sm aria-selected:bg-accent-wash pointer-coarse:min-h-11"
        >
          {children(option)}
        </div>
      ))}
    </div>
  );
}

export function optionId(list: string, at: number): string {
  return `${list}-${at}`;
}

/** The index an arrow key leads to; undefined for any other key. */
export function nextOption(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowDown') return Math.min(at + 1, count - 1);
  if (key === 'ArrowUp') return Math.max(at - 1, 0);
  return undefined;
}

function intoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' });
}
