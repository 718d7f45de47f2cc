// The recipe repository: one SQLite file that several processes may have open at once.
import { randomUUID } from 'node:crypto';
import { RecipeError } from './errors.ts';
import {
  type NewRecipe,
  type Recipe,
  type RecipeChange,
  RecipeId,
  type RecipePage,
  titleKey,
} from './recipe.ts';
import { type Connection, type ConnectionOptions, openConnection } from './storage/connection.ts';
import { complete, summaryColumns, toRecipe, toRow } from './storage/rows.ts';
import { migrate, query } from './storage/tables.ts';

/**
 * Calls reject with a RecipeError: `invalid` for something that is not a recipe id, `not_found` for an unknown id,
 * `conflict` for a title that another recipe has, `unavailable` if the database cannot be used. A write survives a
 * crash once its call has resolved.
 */
export interface Recipes {
  /** Sorted by title: at most `limit` recipes (default 200, maximum 500), starting at `offset`. */
  list(page?: { readonly offset?: number; readonly limit?: number }): Promise<RecipePage>;
  get(id: string): Promise<Recipe>;
  /** Ignores case. */
  findByTitle(title: string): Promise<Recipe | undefined>;
  create(recipe: NewRecipe): Promise<Recipe>;
  update(id: string, change: RecipeChange): Promise<Recipe>;
  /** Returns the deleted recipe. */
  delete(id: string): Promise<Recipe>;
  /** Adds all of them if the database has no recipe, else none. Returns how many were added. */
  fillIfEmpty(recipes: readonly NewRecipe[]): Promise<number>;
  close(): Promise<void>;
}

export interface RecipesOptions extends ConnectionOptions {
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly newId?: () => string;
}

const defaultPage = 200;
const maxPage = 500;

/** Opens the database, creates it if it does not exist, and migrates it to the newest version. */
export async function openRecipes(options: RecipesOptions): Promise<Recipes> {
  const connection = openConnection(options);
  try {
    migrate(connection);
  } catch (thrown) {
    connection.close();
    throw thrown;
  }
  return onConnection(connection, options);
}

function onConnection(
  connection: Connection,
  { now = Date.now, newId = randomUUID }: RecipesOptions,
): Recipes {
  const timestamp = () => new Date(now()).toISOString();

  const insert = (content: NewRecipe): Recipe => {
    checkTitleIsFree(connection, content.title);
    const at = timestamp();
    const recipe = complete(content, { id: newId(), created_at: at, updated_at: at });
    connection.change(query.insertInto('recipes').values(toRow(recipe)));
    return recipe;
  };

  return {
    async list({ offset = 0, limit = defaultPage } = {}) {
      const page = query
        .selectFrom('recipes')
        .select(summaryColumns)
        .orderBy('title_key')
        .limit(Math.min(limit, maxPage))
        .offset(offset);
      return {
        recipes: connection.rows(page) as RecipePage['recipes'],
        total: connection.number('SELECT count(*) FROM recipes'),
      };
    },
    get: async (id) => find(connection, id),
    async findByTitle(title) {
      const row = connection.row(
        query.selectFrom('recipes').selectAll().where('title_key', '=', titleKey(title)),
      );
      return row && toRecipe(row);
    },
    create: async (content) => connection.transaction(() => insert(content)),
    update: async (id, change) =>
      // Read and write under one lock, so that changes of other fields by other processes are not lost.
      connection.transaction(() => {
        const before = find(connection, id);
        const content = { ...before, ...defined(change) };
        if (change.title !== undefined) checkTitleIsFree(connection, change.title, before.id);
        const recipe = complete(content, { ...before, updated_at: timestamp() });
        connection.change(query.updateTable('recipes').set(toRow(recipe)).where('id', '=', recipe.id));
        return recipe;
      }),
    delete: async (id) =>
      connection.transaction(() => {
        const recipe = find(connection, id);
        connection.change(query.deleteFrom('recipes').where('id', '=', recipe.id));
        return recipe;
      }),
    fillIfEmpty: async (contents) =>
      connection.transaction(() => {
        if (connection.number('SELECT count(*) FROM recipes') > 0) return 0;
        for (const content of contents) insert(content);
        return contents.length;
      }),
    close: async () => connection.close(),
  };
}

function find(connection: Connection, id: string): Recipe {
  const parsed = RecipeId.safeParse(id.toLowerCase());
  if (!parsed.success) {
    throw new RecipeError(
      'invalid',
      `“${id.slice(0, 80)}” is not a recipe id. Ids come from list_recipes and look like 8f14e45f-ceea-4e7a-9c5b-1d2f3a4b5c6d.`,
    );
  }
  const row = connection.row(query.selectFrom('recipes').selectAll().where('id', '=', parsed.data));
  if (row === undefined) {
    throw new RecipeError(
      'not_found',
      `There is no recipe with the id ${parsed.data}. It may have been deleted; list_recipes shows the recipes that exist.`,
    );
  }
  return toRecipe(row);
}

function checkTitleIsFree(connection: Connection, title: string, except?: string): void {
  const taken = connection.row(
    query.selectFrom('recipes').select(['id', 'title']).where('title_key', '=', titleKey(title)),
  );
  if (taken === undefined || taken.id === except) return;
  throw new RecipeError(
    'conflict',
    `There is already a recipe called “${taken.title}” (${taken.id}). Choose another title, or update that recipe.`,
  );
}

/** Drops keys whose value is undefined, which would hide the stored value. */
function defined<T extends object>(change: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as never;
}
