// A choice between a few short words, as a row of pills.
import { useId } from 'react';
import { classes } from './classes.ts';

export function Pills<Value extends string>({
  label,
  options,
  value,
  onChoose,
}: {
  label: string;
  options: readonly { readonly value: Value; readonly name: string }[];
  value: Value;
  onChoose: (value: Value) => void;
}) {
  const id = useId();
  return (
    <div role="radiogroup" aria-label={label} className="flex min-w-0 flex-1 gap-1">
      {options.map((one) => (
        <label
          key={one.value}
          className={classes(
            'cursor-pointer truncate rounded-lg px-2.5 py-1.5 text-xs has-focus-visible:outline-2',
            one.value === value ? 'bg-accent-wash text-accent' : 'text-soft hover:bg-sunken',
          )}
        >
          <input
            type="radio"
            name={id}
            checked={one.value === value}
            onChange={() => onChoose(one.value)}
            className="sr-only"
          />
          {one.name}
        </label>
      ))}
    </div>
  );
}
