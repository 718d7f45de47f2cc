// A recipe to cook from: times, servings that scale the amounts, ingredients and steps.
import type { Recipe } from '@parley/protocol';
import { Clock, Flame, Gauge, Link2, Minus, Plus, Printer } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { address } from '../client.ts';
import { Trans } from '../i18n/trans.tsx';
import { t } from '../i18n/translate.ts';
import { IconButton } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { amountText, minutesText } from './scaling.ts';
import { Steps } from './steps.tsx';

export function RecipeView({ recipe }: { recipe: Recipe }) {
  const [servings, setServings] = useState(recipe.servings ?? 1);
  const factor = recipe.servings ? servings / recipe.servings : 1;
  return (
    <article className="mx-auto max-w-2xl p-6 print:max-w-none print:p-0">
      <header>
        <div className="flex items-start justify-between gap-3">
          <h1 className="text-balance break-words font-semibold text-2xl tracking-tight">{recipe.title}</h1>
          <div className="flex print:hidden">
            <CopyButton
              label={t('Copy link')}
              icon={<Link2 size={16} aria-hidden />}
              text={() => address(`/recipes/${recipe.id}`)}
            />
            <IconButton label={t('Print')} className="size-8" onClick={() => window.print()}>
              <Printer size={16} aria-hidden />
            </IconButton>
          </div>
        </div>
        {recipe.description !== '' && (
          <p className="mt-2 break-words text-soft leading-relaxed">{recipe.description}</p>
        )}
      </header>
      <dl className="my-5 flex flex-wrap gap-x-6 gap-y-3 border-line border-y py-4 text-sm">
        {recipe.prep_time_minutes !== null && (
          <Fact icon={<Clock size={14} aria-hidden />} name={t('Prep time')}>
            {minutesText(recipe.prep_time_minutes)}
          </Fact>
        )}
        {recipe.cook_time_minutes !== null && (
          <Fact icon={<Flame size={14} aria-hidden />} name={t('Cook time')}>
            {minutesText(recipe.cook_time_minutes)}
          </Fact>
        )}
        {recipe.difficulty !== null && (
          <Fact icon={<Gauge size={14} aria-hidden />} name={t('Difficulty')}>
            {difficulties[recipe.difficulty]()}
          </Fact>
        )}
      </dl>
      {recipe.servings !== null && <Servings value={servings} onChange={setServings} />}
      <Ingredients recipe={recipe} factor={factor} />
      <Steps recipe={recipe} />
    </article>
  );
}

const difficulties = { easy: () => t('Easy'), medium: () => t('Medium'), hard: () => t('Hard') };

function Fact({ icon, name, children }: { icon: ReactNode; name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="flex items-center gap-1.5 text-faint text-xs">
        <span className="text-accent">{icon}</span>
        {name}
      </dt>
      <dd className="mt-0.5 font-medium">{children}</dd>
    </div>
  );
}

const maxServings = 100;

function Servings({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  return (
    <div role="group" aria-label={t('Servings')} className="mb-5 flex items-center gap-2">
      <IconButton
        label={t('Fewer servings')}
        look="plain"
        className="print:hidden"
        disabled={value <= 1}
        onClick={() => onChange(value - 1)}
      >
        <Minus size={15} aria-hidden />
      </IconButton>
      <output aria-live="polite" className="min-w-24 text-center text-sm tabular-nums print:min-w-0">
        <Trans
          message="{count, plural, one {<b>#</b> serving} other {<b>#</b> servings}}"
          values={{ count: value }}
          tags={{ b: <strong className="font-semibold" /> }}
        />
      </output>
      <IconButton
        label={t('More servings')}
        look="plain"
        className="print:hidden"
        disabled={value >= maxServings}
        onClick={() => onChange(value + 1)}
      >
        <Plus size={15} aria-hidden />
      </IconButton>
    </div>
  );
}

function Ingredients({ recipe, factor }: { recipe: Recipe; factor: number }) {
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
