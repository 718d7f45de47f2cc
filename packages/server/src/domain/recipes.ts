// The port of the recipe collection as doors show it; changes go through the tools of the recipe vault.
import type { Recipe } from '@parley/protocol';

export interface RecipeShelf {
  /** By title. */
  list(): Promise<readonly Recipe[]>;
  /** Nothing for an unknown id, and for what cannot be one. */
  get(id: string): Promise<Recipe | undefined>;
}
