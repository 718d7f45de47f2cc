// The timers that run, wherever one is. One that is over says so until it is dismissed.
import { Timer as TimerIcon, X } from 'lucide-react';
import { Link } from 'wouter';
import { classes } from '../ui/classes.ts';
import { clockText, stopTimer, type Timer, useSecondsLeft, useTimers } from './timers.ts';

export function TimerBar() {
  const timers = useTimers();
  if (timers.length === 0) return null;
  return (
    <ul
      aria-label="Kitchen timers"
      className="flex flex-wrap gap-2 border-line border-b bg-paper px-4 py-2 print:hidden"
    >
      {timers.map((timer) => (
        <RunningTimer key={timer.id} timer={timer} />
      ))}
    </ul>
  );
}

function RunningTimer({ timer }: { timer: Timer }) {
  const left = useSecondsLeft(timer);
  const isOver = left <= 0;
  return (
    <li
      className={classes(
        'flex max-w-full items-center gap-2 rounded-full py-1 pr-1 pl-3 text-sm',
        isOver ? 'bg-warn-wash text-warn' : 'bg-accent-wash text-accent',
      )}
    >
      <TimerIcon size={15} className={isOver ? 'animate-pulse' : undefined} aria-hidden />
      {isOver ? (
        <span role="alert" className="font-medium">
          Time is up
        </span>
      ) : (
        <span role="timer" className="font-medium tabular-nums">
          {clockText(left)}
        </span>
      )}
      <Link
        href={`/recipes/${timer.recipeId}`}
        className="max-w-56 truncate underline-offset-2 hover:underline"
      >
        {timer.label}
      </Link>
      <button
        type="button"
        aria-label={`${isOver ? 'Dismiss' : 'Stop'} the timer for ${timer.label}`}
        onClick={() => stopTimer(timer.id)}
        className="grid size-7 place-items-center rounded-full hover:bg-raised"
      >
        <X size={14} aria-hidden />
      </button>
    </li>
  );
}
