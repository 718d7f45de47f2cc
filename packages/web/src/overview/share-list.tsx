// Shares of the total, each with a bar behind its name.
import { dollars } from '../ui/amounts.ts';
import { classes } from '../ui/classes.ts';
import { type Bar, turnsAndTokens } from './usage.ts';

export function ShareList({
  bars,
  empty,
  nameOf = (label) => label,
  look,
}: {
  bars: readonly Bar[];
  empty: string;
  /** The label as shown. */
  nameOf?: (label: string) => string;
  look?: string;
}) {
  if (bars.length === 0) return <p className="py-6 text-center text-faint text-sm">{empty}</p>;
  const most = Math.max(...bars.map(({ costUsd, tokens }) => costUsd || tokens / 1e9), Number.EPSILON);
  return (
    <ul className="grid gap-1.5">
      {bars.map(({ label, costUsd, tokens, turns }) => (
        <li key={label} className="relative overflow-hidden rounded-lg px-3 py-2 text-sm">
          <svg
            className="absolute inset-0 size-full"
            preserveAspectRatio="none"
            viewBox="0 0 100 1"
            aria-hidden="true"
          >
            <rect width={((costUsd || tokens / 1e9) / most) * 100} height="1" className="fill-accent-wash" />
          </svg>
          <div className="relative flex items-baseline justify-between gap-4">
            <span className={classes('min-w-0 truncate font-medium', look)}>{nameOf(label)}</span>
            <strong className="shrink-0 font-semibold tabular-nums">{dollars(costUsd)}</strong>
          </div>
          <p className="relative text-soft text-xs tabular-nums">{turnsAndTokens({ turns, tokens })}</p>
        </li>
      ))}
    </ul>
  );
}
