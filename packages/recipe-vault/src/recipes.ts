// The recipe repository, in one SQLite file that several processes may have open at once, or in the database of a host.
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
import { type ConnectionOptions, openConnection } from './storage/connection.ts';
import { complete, summaryColumns, toRecipe, toRow } from './storage/rows.ts';
import { migrate, query } from './storage/tables.ts';
import { all, change, first, type Work } from './storage/work.ts';

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

export interface Stamps {
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly newId?: () => string;
}

export interface RecipesOptions extends ConnectionOptions, Stamps {}

/** Where recipes are stored. It has the table `recipes`. */
export interface RecipeDatabase {
  readonly read: <T>(work: Work<T>) => Promise<T>;
  /** Runs all of the work or none of it, and nobody else changes recipes meanwhile. May call `work` again. */
  readonly write: <T>(work: () => Work<T>) => Promise<T>;
  readonly close: () => Promise<void>;
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
  const database: RecipeDatabase = {
    read: async (work) => connection.run(work),
    write: async (work) => connection.transaction(() => connection.run(work())),
    close: async () => connection.close(),
  };
  return createRecipes(database, options);
}

/** The same repository on another database. */
export function createRecipes(
  { read, write, close }: RecipeDatabase,
  { now = Date.now, newId = randomUUID }: Stamps = {},
): Recipes {
  const timestamp = () => new Date(now()).toISOString();

  function* insert(content: NewRecipe): Work<Recipe> {
    yield* checkTitleIsFree(content.title);
    const at = timestamp();
    const recipe = complete(content, { id: newId(), created_at: at, updated_at: at });
    yield* change(query.insertInto('recipes').values(toRow(recipe)));
    return recipe;
  }

  return {
    list: ({ offset = 0, limit = defaultPage } = {}) =>
      read(
        (function* () {
          const page = query
            .selectFrom('recipes')
            .select(summaryColumns)
            .orderBy('title_key')
            .limit(Math.min(limit, maxPage))
            .offset(offset);
          const recipes = (yield* all(page)) as RecipePage['recipes'];
          return { recipes, total: yield* count() };
        })(),
      ),
    get: (id) => read(find(id)),
    findByTitle: (title) =>
      read(
        (function* () {
          const row = yield* first(
            query.selectFrom('recipes').selectAll().where('title_key', '=', titleKey(title)),
          );
          return row && toRecipe(row);
        })(),
      ),
    create: (content) => write(() => insert(content)),
    update: (id, changes) =>
      // Read and write under one lock, so that changes of other fields by other processes are not lost.
      write(function* () {
        const before = yield* find(id);
        const content = { ...before, ...defined(changes) };
        if (changes.title !== undefined) yield* checkTitleIsFree(changes.title, before.id);
        const recipe = complete(content, { ...before, updated_at: timestamp() });
        yield* change(query.updateTable('recipes').set(toRow(recipe)).where('id', '=', recipe.id));
        return recipe;
      }),
    delete: (id) =>
      write(function* () {
        const recipe = yield* find(id);
        yield* change(query.deleteFrom('recipes').where('id', '=', recipe.id));
        return recipe;
      }),
    fillIfEmpty: (contents) =>
      write(function* () {
        if ((yield* count()) > 0) return 0;
        for (const content of contents) yield* insert(content);
        return contents.length;
      }),
    close,
  };
}

function* count(): Work<number> {
  return (yield* first<{ total: number }>('SELECT count(*) AS total FROM recipes'))?.total ?? 0;
}

function* find(id: string): Work<Recipe> {
  const parsed = RecipeId.safeParse(id.toLowerCase());
  if (!parsed.success) {
    throw new RecipeError(
      'invalid',
      `“${id.slice(0, 80)}” is not a recipe id. Ids come from list_recipes and look like 8f14e45f-ceea-4e7a-9c5b-1d2f3a4b5c6d.`,
    );
  }
  const row = yield* first(query.selectFrom('recipes').selectAll().where('id', '=', parsed.data));
  if (row === undefined) {
    throw new RecipeError(
      'not_found',
      `There is no recipe with the id ${parsed.data}. It may have been deleted; list_recipes shows the recipes that exist.`,
    );
  }
  return toRecipe(row);
}

function* checkTitleIsFree(title: string, except?: string): Work<void> {
  const taken = yield* first(
    query.selectFrom('recipes').select(['id', 'title']).where('title_key', '=', titleKey(title)),
  );
  if (taken === undefined || taken.id === except) return;
  throw new RecipeError(
    'conflict',
    `There is already a recipe called “${taken.title}” (${taken.id}). Choose another title, or update that recipe.`,
  );
}

/** Drops keys whose value is undefined, which would hide the stored value. */
function defined<T extends object>(changes: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as never;
}
