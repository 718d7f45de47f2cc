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
  groupOf,
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
  /** Options of the same group follow each other. */
  groupOf?: (option: Option) => string;
  className: string;
  children: (option: Option) => ReactNode;
}) {
  const draw = (option: Option, at: number) => (
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
  );
  return (
    <div id={id} role="listbox" aria-label={label} className={classes('overflow-y-auto', className)}>
      {groupOf
        ? groupsOf(options, groupOf).map(({ group, from, to }) => (
            <div key={group} role="group" aria-label={group} className="mb-2">
              <p aria-hidden className="px-3 py-1 font-medium text-faint text-xs">
                {group}
              </p>
              {options.slice(from, to).map((option, at) => draw(option, from + at))}
            </div>
          ))
        : options.map(draw)}
    </div>
  );
}

function groupsOf<Option>(options: readonly Option[], groupOf: (option: Option) => string) {
  const groups: { readonly group: string; readonly from: number; to: number }[] = [];
  for (const [at, option] of options.entries()) {
    const group = groupOf(option);
    const last = groups.at(-1);
    if (last?.group === group) last.to = at + 1;
    else groups.push({ group, from: at, to: at + 1 });
  }
  return groups;
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
