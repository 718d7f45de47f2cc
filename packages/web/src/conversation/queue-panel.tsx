// Messages that wait until the running turn ends, or until other sessions are done. They can be reordered and withdrawn.

import type { WaitingPrompt } from '@parley/protocol';
import { ArrowDown, ArrowUp, Clock, Undo2 } from 'lucide-react';
import { t } from '../i18n/translate.ts';
import { IconButton } from '../ui/button.tsx';
import { useAuthor } from './context.ts';

export function QueuePanel({
  prompts,
  ahead,
  onWithdraw,
  onReorder,
}: {
  prompts: readonly WaitingPrompt[];
  /** How many turns of other sessions come first, if the prompts wait only for those. */
  ahead: number | undefined;
  /** Puts it back into the composer. */
  onWithdraw: (prompt: WaitingPrompt) => void;
  onReorder: (order: readonly string[]) => void;
}) {
  const authorOf = useAuthor();
  if (prompts.length === 0) return null;
  const move = (from: number, to: number) => {
    const order = prompts.map(({ turnId }) => turnId);
    const [moved] = order.splice(from, 1);
    if (moved !== undefined) order.splice(to, 0, moved);
    onReorder(order);
  };
  return (
    <section aria-label={t('Queued messages')} className="rounded-xl border border-line bg-raised">
      {ahead !== undefined && (
        <p role="status" className="border-b border-line px-3 py-1.5 text-sm text-faint">
          {t(
            '{ahead, plural, =0 {Waiting for other sessions: you are next.} one {Waiting for other sessions: # is ahead of you.} other {Waiting for other sessions: # are ahead of you.}}',
            { ahead },
          )}
        </p>
      )}
      <ol className="max-h-40 divide-y divide-line overflow-y-auto">
        {prompts.map((waiting, at) => {
          const {
            turnId,
            prompt: { text, images, files = [] },
          } = waiting;
          const author = authorOf(waiting.author);
          return (
            <li key={turnId} className="flex items-center gap-1 py-1 pr-1 pl-3 text-sm">
              <Clock size={14} className="mr-1.5 shrink-0 text-faint" aria-hidden />
              <span dir="auto" title={text} className="min-w-0 flex-1 truncate">
                {author !== undefined && <span className="me-2 text-soft">{author}</span>}
                {text}
                {files.length > 0 && (
                  <span className="ms-2 text-faint">
                    {t('{count, plural, one {# file} other {# files}}', { count: files.length })}
                  </span>
                )}
                {images.length > 0 && (
                  <span className="ms-2 text-faint">
                    {t('{count, plural, one {# picture} other {# pictures}}', { count: images.length })}
                  </span>
                )}
              </span>
              {prompts.length > 1 && (
                <>
                  <IconButton
                    label={t('Move up')}
                    className="size-8"
                    disabled={at === 0}
                    onClick={() => move(at, at - 1)}
                  >
                    <ArrowUp size={15} aria-hidden />
                  </IconButton>
                  <IconButton
                    label={t('Move down')}
                    className="size-8"
                    disabled={at === prompts.length - 1}
                    onClick={() => move(at, at + 1)}
                  >
                    <ArrowDown size={15} aria-hidden />
                  </IconButton>
                </>
              )}
              <IconButton label={t('Withdraw')} className="size-8" onClick={() => onWithdraw(waiting)}>
                <Undo2 size={15} aria-hidden />
              </IconButton>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
