// Fetches recipes from the server.
import { ApiError } from '@parley/client';
import type { Recipe } from '@parley/protocol';
import { useQuery } from '@tanstack/react-query';
import { get } from '../client.ts';

export function useRecipe(id: string) {
  return useQuery({
    queryKey: ['recipe', id],
    queryFn: ({ signal }) => get<Recipe>(`/api/recipes/${encodeURIComponent(id)}`, signal),
    retry: (failures, error) => !isMissing(error) && failures < 1,
  });
}

export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
