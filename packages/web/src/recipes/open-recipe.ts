// Which recipe is open next to the conversation. It is part of the URL, so that a link opens both. Where it covers the
// conversation, Back closes it.
import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

export function useOpenRecipe(): [string | undefined, (id: string | undefined) => void] {
  const [query, setQuery] = useSearchParams();
  const open = useCallback(
    (id: string | undefined) => {
      if (id === undefined && isOwnEntry()) {
        history.back();
        return;
      }
      const isOwn = id !== undefined && (isOwnEntry() || coversConversation());
      setQuery(
        (before) => {
          const after = new URLSearchParams(before);
          if (id === undefined) after.delete('recipe');
          else after.set('recipe', id);
          return after;
        },
        { replace: !isOwn || isOwnEntry(), state: isOwn ? { isRecipe: true } : null },
      );
    },
    [setQuery],
  );
  return [query.get('recipe') ?? undefined, open];
}

/** The recipe was opened from the page before in the browser's history, which is the conversation. */
function isOwnEntry(): boolean {
  return (history.state as { isRecipe?: boolean } | null)?.isRecipe === true;
}

export function coversConversation(): boolean {
  return window.matchMedia('(max-width: 767px)').matches;
}
