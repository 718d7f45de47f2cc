// A recipe on its own page, for links to it.
import { MessageCircle } from 'lucide-react';
import { Link } from 'wouter';
import { t } from '../i18n/translate.ts';
import { RecipeContent } from './recipe-panel.tsx';
import { TimerBar } from './timer-bar.tsx';

export function RecipePage({ id }: { id: string }) {
  return (
    <main className="flex h-full flex-col">
      <TimerBar />
      <div className="min-h-0 flex-1 overflow-y-auto print:overflow-visible">
        <p className="mx-auto max-w-2xl px-6 pt-4 print:hidden">
          <Link href="/" className="inline-flex items-center gap-2 text-accent text-sm hover:underline">
            <MessageCircle size={15} aria-hidden />
            {t('Ask the kitchen assistant')}
          </Link>
        </p>
        <RecipeContent key={id} id={id} />
      </div>
    </main>
  );
}
