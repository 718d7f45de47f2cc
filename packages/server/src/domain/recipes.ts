// The port through which doors read the recipe collection; changes go through the tools of the recipe vault.
import type { Recipe } from '@parley/protocol';

export interface RecipeShelf {
  /** Sorted by title. */
  list(): Promise<readonly Recipe[]>;
  /** Undefined for an unknown or invalid id. */
  get(id: string): Promise<Recipe | undefined>;
}
