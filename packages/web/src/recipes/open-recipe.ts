// Which recipe is open next to the conversation. It is part of the URL, so that a link opens both.
import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

export function useOpenRecipe(): [string | undefined, (id: string | undefined) => void] {
  const [query, setQuery] = useSearchParams();
  const open = useCallback(
    (id: string | undefined) =>
      setQuery(
        (before) => {
          const after = new URLSearchParams(before);
          if (id === undefined) after.delete('recipe');
          else after.set('recipe', id);
          return after;
        },
        { replace: true },
      ),
    [setQuery],
  );
  return [query.get('recipe') ?? undefined, open];
}
