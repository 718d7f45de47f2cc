// Markdown as a model writes it, also while it is being written. What it needs to be drawn is loaded with the first
// text that is shown; until then the words stand as they are.
import { memo, Suspense } from 'react';
import { late } from './late.tsx';
import type { MarkdownProps } from './markdown-view.tsx';

const view = late<MarkdownProps>(async () => (await import('./markdown-view.tsx')).MarkdownView);

/** For pages that will show some: so that it is there before the first answer. */
export const preloadMarkdown = view.preload;

export const Markdown = memo(function Markdown({ children, isStreaming = false }: MarkdownProps) {
  return (
    <Suspense fallback={<div className="whitespace-pre-wrap break-words leading-relaxed">{children}</div>}>
      <view.Part isStreaming={isStreaming}>{children}</view.Part>
    </Suspense>
  );
});
