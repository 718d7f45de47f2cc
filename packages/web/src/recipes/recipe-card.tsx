// A recipe in a conversation. Opens its panel.
import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import { useOpenRecipe } from './open-recipe.ts';
import { isMissing, useRecipe } from './recipe-query.ts';

export function RecipeCard({ id, icon }: { id: string; icon: ReactNode }) {
  const recipe = useRecipe(id);
  const [opened, open] = useOpenRecipe();
  const title = recipe.data?.title ?? (isMissing(recipe.error) ? t('Recipe not found') : t('Recipe'));
  return (
    <button
      type="button"
      aria-pressed={opened === id}
      onClick={() => open(id)}
      className="my-2 flex max-w-full items-center gap-3 rounded-card border border-line bg-raised px-4 py-3 text-left transition-colors hover:border-accent aria-pressed:border-accent"
    >
      <span className="grid size-9 shrink-0 place-items-center rounded-lg bg-accent-wash text-accent">
        {icon}
      </span>
      <span className="min-w-0">
        <span className="block truncate font-medium text-sm">{title}</span>
        <span className="block text-faint text-xs">{opened === id ? t('Showing') : t('Show recipe')}</span>
      </span>
    </button>
  );
}
