// The browser's own select, styled like the other controls. It opens the way people know from their device.
import { ChevronDown } from 'lucide-react';
import { type ComponentProps, useId } from 'react';
import { classes } from './classes.ts';
import { FieldFrame, type Labeled } from './field.tsx';

export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return (
    <span className="relative block min-w-0 flex-1">
      <select
        className={classes('w-full appearance-none truncate rounded-lg border pr-8', className)}
        {...rest}
      />
      <ChevronDown
        size={14}
        aria-hidden
        className="-translate-y-1/2 pointer-events-none absolute top-1/2 right-2.5 text-faint"
      />
    </span>
  );
}

/** In a form, with its label. */
export function SelectField<Value extends string>({
  label,
  hint,
  problem,
  options,
  onChoose,
  id: given,
  ...rest
}: Omit<ComponentProps<'select'>, 'onChange' | 'value'> &
  Labeled & {
    value: Value;
    options: readonly { readonly value: Value; readonly name: string }[];
    onChoose: (value: Value) => void;
  }) {
  const own = useId();
  const id = given ?? own;
  return (
    <FieldFrame id={id} label={label} hint={hint} problem={problem}>
      <Select
        {...rest}
        id={id}
        aria-describedby={`${id}-note`}
        aria-invalid={problem !== undefined}
        className={classes(
          'min-h-10 bg-paper pl-3 text-base text-ink disabled:opacity-60 sm:text-sm',
          problem === undefined ? 'border-line' : 'border-danger',
        )}
        onChange={({ target }) => {
          const chosen = options.find(({ value }) => value === target.value);
          if (chosen) onChoose(chosen.value);
        }}
      >
        {options.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </Select>
    </FieldFrame>
  );
}
