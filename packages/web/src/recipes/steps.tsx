// The steps of a recipe, with their temperatures, and a timer for those that take a while.
import type { Recipe, RecipeStep } from '@parley/protocol';
import { Thermometer, Timer as TimerIcon } from 'lucide-react';
import { i18n, t } from '../i18n/translate.ts';
import { minutesText } from './scaling.ts';
import { clockText, startTimer, stopTimer, type Timer, useSecondsLeft, useTimers } from './timers.ts';

export function Steps({ recipe }: { recipe: Recipe }) {
  if (recipe.steps.length === 0) return null;
  return (
    <section aria-labelledby="steps">
      <h2 id="steps" className="mb-3 font-semibold">
        {t('Steps')}
      </h2>
      <ol className="grid gap-5">
        {recipe.steps.map((step, at) => (
          <li key={step.position} className="flex gap-4 break-inside-avoid">
            <span
              aria-hidden
              className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-wash font-semibold text-accent text-sm"
            >
              {at + 1}
            </span>
            <div className="min-w-0 flex-1 pt-0.5">
              <p className="break-words leading-relaxed">{step.instruction}</p>
              <StepFacts recipe={recipe} step={step} number={at + 1} />
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function StepFacts({ recipe, step, number }: { recipe: Recipe; step: RecipeStep; number: number }) {
  const { temperature_celsius: celsius, duration_minutes: minutes } = step;
  const id = `${recipe.id}:${step.position}`;
  const timer = useTimers().find((candidate) => candidate.id === id);
  if (celsius === null && !minutes) return null;
  const label = t('{recipe}, step {number}', { recipe: recipe.title, number });
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2 text-sm">
      {celsius !== null && (
        <span className="inline-flex items-center gap-1.5 rounded-full bg-warn-wash px-3 py-1 text-warn">
          <Thermometer size={15} aria-hidden />
          {i18n.number(celsius, { style: 'unit', unit: 'celsius' })}
        </span>
      )}
      {minutes !== null &&
        minutes > 0 &&
        (timer ? (
          <>
            <Countdown timer={timer} />
            <span className="hidden print:inline">{minutesText(minutes)}</span>
          </>
        ) : (
          <button
            type="button"
            onClick={() => startTimer({ id, label, recipeId: recipe.id }, minutes)}
            className="inline-flex items-center gap-1.5 rounded-full border border-line px-3 py-1 text-soft transition-colors hover:border-accent hover:text-accent"
          >
            <TimerIcon size={15} aria-hidden />
            <span className="print:hidden">
              {t('Start timer ({duration})', { duration: minutesText(minutes) })}
            </span>
            <span className="hidden print:inline">{minutesText(minutes)}</span>
          </button>
        ))}
    </div>
  );
}

function Countdown({ timer }: { timer: Timer }) {
  const left = useSecondsLeft(timer);
  const shown = left > 0 ? clockText(left) : t('Time’s up');
  return (
    <button
      type="button"
      aria-label={t('{time}: stop timer', { time: shown })}
      onClick={() => stopTimer(timer.id)}
      className="inline-flex items-center gap-1.5 rounded-full bg-accent px-3 py-1 font-medium text-on-accent print:hidden"
    >
      <TimerIcon size={15} aria-hidden />
      <span className="tabular-nums">{shown}</span>
    </button>
  );
}
