// The recipe next to the conversation, or over it on a small screen. Shows a skeleton until it is loaded.
import type { Recipe } from '@parley/protocol';
import { CookingPot } from 'lucide-react';
import { Suspense, useEffect } from 'react';
import { t } from '../i18n/translate.ts';
import { Empty, ErrorNote, Skeleton } from '../ui/notes.tsx';
import { preloadable } from '../ui/preloadable.tsx';
import { SidePanel } from '../ui/side-panel.tsx';
import { isMissing, useRecipe } from './recipe-query.ts';

const view = preloadable<{ recipe: Recipe }>(async () => (await import('./recipe-view.tsx')).RecipeView);

export function RecipePanel({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <SidePanel
      label={t('Recipe')}
      title={<p className="font-medium text-soft text-sm">{t('Recipe')}</p>}
      closeLabel={t('Close recipe')}
      onClose={onClose}
      focusKey={id}
      className="md:w-[25rem] lg:w-[28rem] xl:w-[32rem]"
    >
      <div className="min-h-0 flex-1 overflow-y-auto print:overflow-visible">
        <RecipeContent key={id} id={id} />
      </div>
    </SidePanel>
  );
}

export function RecipeContent({ id }: { id: string }) {
  const recipe = useRecipe(id);
  useEffect(() => void view.preload(), []);
  if (recipe.data)
    return (
      <Suspense fallback={<RecipeSkeleton />}>
        <view.Part recipe={recipe.data} />
      </Suspense>
    );
  if (isMissing(recipe.error)) {
    return (
      <div role="alert">
        <Empty icon={<CookingPot size={22} aria-hidden />} title={t('Recipe not found')}>
          {t('It may have been deleted. Ask the kitchen assistant which recipes there are.')}
        </Empty>
      </div>
    );
  }
  if (recipe.isError) {
    return (
      <div className="p-5">
        <ErrorNote error={recipe.error} onRetry={() => void recipe.refetch()} />
      </div>
    );
  }
  return <RecipeSkeleton />;
}

function RecipeSkeleton() {
  return (
    <div role="status" aria-label={t('Loading recipe')} className="grid gap-4 p-6">
      <Skeleton className="h-8 w-3/4" />
      <Skeleton className="h-4" />
      <Skeleton className="h-4 w-5/6" />
      <div className="my-2 flex gap-3">
        <Skeleton className="h-14 flex-1" />
        <Skeleton className="h-14 flex-1" />
        <Skeleton className="h-14 flex-1" />
      </div>
      {[0, 1, 2, 3, 4].map((at) => (
        <Skeleton key={at} className="h-5" />
      ))}
    </div>
  );
}
