// Markdown from a model, even while it is being written. The renderer is loaded with the first text; until then the text
// is shown as it is.
import { memo, Suspense } from 'react';
import type { MarkdownProps } from './markdown-view.tsx';
import { preloadable } from './preloadable.tsx';

const view = preloadable<MarkdownProps>(async () => (await import('./markdown-view.tsx')).MarkdownView);

/** For pages that will show Markdown, so that the renderer is there before the first answer. */
export const preloadMarkdown = view.preload;

export const Markdown = memo(function Markdown({ children, isStreaming = false }: MarkdownProps) {
  return (
    <Suspense fallback={<div className="whitespace-pre-wrap break-words leading-relaxed">{children}</div>}>
      <view.Part isStreaming={isStreaming}>{children}</view.Part>
    </Suspense>
  );
});
