// Buttons: one with text, one with an icon whose label is read by screen readers and shown on hover.
import type { ComponentProps, ReactNode } from 'react';
import { classes } from './classes.ts';

type Look = 'primary' | 'plain' | 'quiet' | 'danger';

const looks: Record<Look, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong border border-transparent',
  plain: 'bg-raised text-ink border border-line hover:bg-sunken',
  quiet: 'text-soft hover:bg-sunken hover:text-ink border border-transparent',
  danger: 'bg-danger-wash text-danger border border-danger/30 hover:border-danger',
};

const shape =
  'inline-flex shrink-0 items-center justify-center gap-2 rounded-lg text-sm font-medium transition-colors disabled:opacity-50';

/** For a link that looks like a button. */
export function buttonLook(look: Look): string {
  return classes(shape, 'min-h-9 px-3.5 pointer-coarse:min-h-10', looks[look]);
}

export function Button({ look = 'plain', className, ...rest }: ComponentProps<'button'> & { look?: Look }) {
  return <button type="button" className={classes(buttonLook(look), className)} {...rest} />;
}

export function IconButton({
  label,
  look = 'quiet',
  className,
  children,
  ...rest
}: Omit<ComponentProps<'button'>, 'aria-label' | 'title'> & {
  label: string;
  look?: Look;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={classes(
        shape,
        'size-9 pointer-coarse:min-h-10 pointer-coarse:min-w-10',
        looks[look],
        className,
      )}
      {...rest}
    >
      {children}
    </button>
  );
}
