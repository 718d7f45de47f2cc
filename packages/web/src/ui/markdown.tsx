// Markdown as a model writes it, also while it is being written. What it needs to be drawn is loaded with the first
// text that is shown; until then the words stand as they are.
import { lazy, memo, Suspense } from 'react';
import type { MarkdownProps } from './markdown-view.tsx';

const load = () => import('./markdown-view.tsx');
const View = lazy(async () => ({ default: (await load()).MarkdownView }));

/** For pages that will show some: so that it is there before the first answer. */
export function preloadMarkdown(): void {
  load().catch(() => undefined);
}

export const Markdown = memo(function Markdown({ children, isStreaming = false }: MarkdownProps) {
  return (
    <Suspense fallback={<div className="whitespace-pre-wrap break-words leading-relaxed">{children}</div>}>
      <View isStreaming={isStreaming}>{children}</View>
    </Suspense>
  );
});
