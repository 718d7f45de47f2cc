// A list to choose from that looks like the other controls. It is the browser's own, so it opens the way each device does.
import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classes } from './classes.ts';

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
