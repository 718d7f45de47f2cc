// The running timers, above chats and recipes. A timer that is over stays until it is dismissed.
import { Timer as TimerIcon, X } from 'lucide-react';
import { Link } from 'wouter';
import { t } from '../i18n/translate.ts';
import { classes } from '../ui/classes.ts';
import { clockText, stopTimer, type Timer, useSecondsLeft, useTimers } from './timers.ts';

export function TimerBar() {
  const timers = useTimers();
  if (timers.length === 0) return null;
  return (
    <ul
      aria-label={t('Kitchen timers')}
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
          {t('Time’s up')}
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
        aria-label={
          isOver
            ? t('Dismiss timer: {name}', { name: timer.label })
            : t('Stop timer: {name}', { name: timer.label })
        }
        onClick={() => stopTimer(timer.id)}
        className="grid size-7 place-items-center rounded-full hover:bg-raised"
      >
        <X size={14} aria-hidden />
      </button>
    </li>
  );
}
