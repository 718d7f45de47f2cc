// The recipe next to the conversation, or over it on a small screen. Shows a skeleton until it is loaded.
import { CookingPot, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { t } from '../i18n/translate.ts';
import { IconButton } from '../ui/button.tsx';
import { Empty, Refusal, Skeleton } from '../ui/notes.tsx';
import { coversConversation } from './open-recipe.ts';
import { isMissing, useRecipe } from './recipe-query.ts';
import { RecipeView } from './recipe-view.tsx';

export function RecipePanel({ id, onClose }: { id: string; onClose: () => void }) {
  const panel = useRef<HTMLElement>(null);
  // On a small screen the recipe covers the conversation, so it takes the focus.
  useEffect(() => {
    if (coversConversation()) panel.current?.focus();
  }, [id]);
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      aria-label={t('Recipe')}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onClose();
      }}
      className="absolute inset-0 z-30 flex flex-col bg-raised outline-none md:relative md:inset-auto md:z-auto md:w-[25rem] md:shrink-0 md:border-line md:border-l lg:w-[28rem] xl:w-[32rem] print:static print:w-full print:border-0"
    >
      <div className="flex h-12 shrink-0 items-center justify-between border-line border-b pr-2 pl-5 print:hidden">
        <p className="font-medium text-soft text-sm">{t('Recipe')}</p>
        <IconButton label={t('Close recipe')} onClick={onClose}>
          <X size={18} aria-hidden />
        </IconButton>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto print:overflow-visible">
        <RecipeContent key={id} id={id} />
      </div>
    </aside>
  );
}

export function RecipeContent({ id }: { id: string }) {
  const recipe = useRecipe(id);
  if (recipe.data) return <RecipeView recipe={recipe.data} />;
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
        <Refusal error={recipe.error} onRetry={() => void recipe.refetch()} />
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
