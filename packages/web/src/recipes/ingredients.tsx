// The ingredients, to tick off while cooking. Ticks last until the browser is closed.
import type { Recipe } from '@parley/protocol';
import { useState } from 'react';
import { t } from '../i18n/translate.ts';
import { classes } from '../ui/classes.ts';
import { amountText } from './scaling.ts';

export function Ingredients({ recipe, factor }: { recipe: Recipe; factor: number }) {
  const [ticked, tick] = useTicks(recipe.id);
  if (recipe.ingredients.length === 0) return null;
  return (
    <section aria-labelledby="ingredients" className="mb-7">
      <h2 id="ingredients" className="mb-2 font-semibold">
        {t('Ingredients')}
      </h2>
      <ul>
        {recipe.ingredients.map(({ position, name, quantity, unit, notes }) => {
          const isTicked = ticked.includes(position);
          return (
            <li key={position} className="border-line border-b last:border-0">
              <label className="flex cursor-pointer items-baseline gap-3 py-2">
                <input
                  type="checkbox"
                  checked={isTicked}
                  onChange={() => tick(position)}
                  className="size-4 shrink-0 translate-y-0.5 accent-(--accent) print:hidden"
                />
                <span className="w-20 shrink-0 text-right text-accent text-sm tabular-nums">
                  {amountText(quantity, unit, factor)}
                </span>
                <span
                  className={classes(
                    'min-w-0 break-words',
                    isTicked && 'text-faint line-through print:text-ink print:no-underline',
                  )}
                >
                  {name}
                  {notes !== null && notes !== '' && <span className="text-faint">, {notes}</span>}
                </span>
              </label>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function useTicks(recipeId: string): [readonly number[], (position: number) => void] {
  const key = `parley.ticks.${recipeId}`;
  const [ticked, setTicked] = useState<readonly number[]>(() => {
    const saved: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]');
    return Array.isArray(saved) ? saved.filter((value) => typeof value === 'number') : [];
  });
  const tick = (position: number) => {
    const changed = ticked.includes(position)
      ? ticked.filter((other) => other !== position)
      : [...ticked, position];
    setTicked(changed);
    sessionStorage.setItem(key, JSON.stringify(changed));
  };
  return [ticked, tick];
}
