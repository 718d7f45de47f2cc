// Form controls with their label, a hint, and what is wrong with the value.
import { type ComponentProps, type ReactNode, useId } from 'react';
import { classes } from './classes.ts';

const look =
  'min-h-10 w-full rounded-lg border bg-paper px-3 text-base text-ink placeholder:text-faint sm:text-sm disabled:opacity-60';

export interface Labeled {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly problem?: string | undefined;
}

export function TextField({ label, hint, problem, className, ...rest }: ComponentProps<'input'> & Labeled) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} problem={problem}>
      <input
        id={id}
        aria-describedby={`${id}-note`}
        aria-invalid={problem !== undefined}
        className={classes(look, problem === undefined ? 'border-line' : 'border-danger', className)}
        {...rest}
      />
    </FieldFrame>
  );
}

export function TextArea({ label, hint, problem, className, ...rest }: ComponentProps<'textarea'> & Labeled) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} problem={problem}>
      <textarea
        id={id}
        rows={4}
        aria-describedby={`${id}-note`}
        aria-invalid={problem !== undefined}
        className={classes(look, 'py-2', problem === undefined ? 'border-line' : 'border-danger', className)}
        {...rest}
      />
    </FieldFrame>
  );
}

/** Around any control that has the given id. */
export function FieldFrame({
  id,
  label,
  hint,
  problem,
  children,
}: Labeled & { id: string; children: ReactNode }) {
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-medium text-sm">
        {label}
      </label>
      {children}
      <FieldNote id={`${id}-note`} hint={hint} problem={problem} />
    </div>
  );
}

/** The hint, or what is wrong. */
export function FieldNote({ id, hint, problem }: Omit<Labeled, 'label'> & { id?: string }) {
  if (hint === undefined && problem === undefined) return null;
  return (
    <span
      id={id}
      className={classes(
        'block text-xs leading-relaxed',
        problem === undefined ? 'text-faint' : 'text-danger',
      )}
    >
      {problem ?? hint}
    </span>
  );
}

export function CheckField({
  label,
  hint,
  problem,
  ...rest
}: Omit<ComponentProps<'input'>, 'type'> & Labeled) {
  const id = useId();
  return (
    <div className="flex items-start gap-3">
      <input
        id={id}
        type="checkbox"
        aria-invalid={problem !== undefined}
        className="mt-0.5 size-4.5 shrink-0 accent-accent"
        {...rest}
      />
      <label htmlFor={id} className="text-sm">
        {label}
        <FieldNote hint={hint} problem={problem} />
      </label>
    </div>
  );
}

/** What somebody typed into a field of the form. */
export function typedIn(form: HTMLFormElement, name: string): string {
  const typed = new FormData(form).get(name);
  return typeof typed === 'string' ? typed : '';
}
