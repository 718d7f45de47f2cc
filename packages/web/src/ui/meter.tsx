// Shows how much of something is used. Warns from 80 % on, and stands out when nothing is left.
import { classes } from './classes.ts';

export const almost = 80;

export function Meter({
  label,
  percent,
  className,
}: {
  label: string;
  /** May be more than 100. */
  percent: number;
  className: string;
}) {
  const shown = Math.min(percent, 100);
  return (
    <span
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(shown)}
      className={classes('block h-1.5 overflow-hidden rounded-full bg-line', className)}
    >
      <span
        className={classes(
          'block h-full rounded-full',
          percent >= 100 ? 'bg-danger' : percent >= almost ? 'bg-warn' : 'bg-accent',
        )}
        style={{ width: `${percent > 0 ? Math.max(shown, 3) : 0}%` }}
      />
    </span>
  );
}
