// The recipe repository on a real database file.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  NewRecipe,
  openRecipes,
  Recipe,
  RecipeChange,
  RecipeError,
  type Recipes,
  sampleRecipes,
  seedRecipes,
} from '../src/index.ts';
import { tempFolder } from './temp-folder.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';

describe('the recipe repository', () => {
  let file: string;
  let recipes: Recipes;
  let time = Date.parse('2026-02-01T12:00:00.000Z');

  beforeEach(async () => {
    file = join(tempFolder(), 'recipes.db');
    recipes = await open();
  });

  async function open(): Promise<Recipes> {
    const opened = await openRecipes({ file, now: () => time });
    onTestFinished(() => opened.close());
    return opened;
  }

  it('stores a whole recipe in the pinned form, and returns it after the file is opened again', async () => {
    const created = await recipes.create(
      NewRecipe.parse({
        title: 'Pancakes',
        description: 'Thin ones.',
        prep_time_minutes: 10,
        servings: 4,
        difficulty: 'easy',
        ingredients: [
          { name: 'flour', quantity: 250, unit: 'g' },
          { name: 'eggs', quantity: 3, notes: 'large' },
        ],
        steps: [
          { instruction: 'Whisk.', duration_minutes: 5 },
          { instruction: 'Fry.', temperature_celsius: 180.5 },
        ],
      }),
    );
    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      title: 'Pancakes',
      description: 'Thin ones.',
      prep_time_minutes: 10,
      cook_time_minutes: null,
      servings: 4,
      difficulty: 'easy',
      ingredients: [
        { position: 1, name: 'flour', quantity: 250, unit: 'g', notes: null },
        { position: 2, name: 'eggs', quantity: 3, unit: null, notes: 'large' },
      ],
      steps: [
        { position: 1, instruction: 'Whisk.', duration_minutes: 5, temperature_celsius: null },
        { position: 2, instruction: 'Fry.', duration_minutes: null, temperature_celsius: 180.5 },
      ],
      created_at: '2026-02-01T12:00:00.000Z',
      updated_at: '2026-02-01T12:00:00.000Z',
    });
    expect(Recipe.parse(created)).toEqual(created);
    await recipes.close();
    const later = await open();
    expect(await later.get(created.id)).toEqual(created);
    expect(await later.get(created.id.toUpperCase())).toEqual(created);
  });

  it('changes only fields that are set, clears what is null, and keeps the rest', async () => {
    const { id } = await recipes.create(aRecipe({ title: 'Soup', servings: 4, difficulty: 'hard' }));
    time += 60_000;
    const changed = await recipes.update(
      id,
      RecipeChange.parse({ servings: 6, difficulty: null, steps: [{ instruction: 'Stir.' }] }),
    );
    expect(changed).toMatchObject({
      title: 'Soup',
      servings: 6,
      difficulty: null,
      ingredients: [{ name: 'water' }],
      steps: [{ position: 1, instruction: 'Stir.' }],
      created_at: '2026-02-01T12:00:00.000Z',
      updated_at: '2026-02-01T12:01:00.000Z',
    });
    expect(await recipes.get(id)).toEqual(changed);
  });

  it('rejects a title that differs from another only in case, spaces or Unicode form', async () => {
    const { id } = await recipes.create(aRecipe({ title: 'Crème Brûlée' }));
    for (const title of ['crème brûlée', ' CRÈME  BRÛLÉE ', 'Crème Brûlée'.normalize('NFD')]) {
      const refusal = await refused(recipes.create(aRecipe({ title })));
      expect(refusal).toMatchObject({ code: 'conflict', message: expect.stringContaining(id) });
    }
    const other = await recipes.create(aRecipe({ title: 'Soup' }));
    expect(await refused(recipes.update(other.id, { title: 'crème brûlée' }))).toMatchObject({
      code: 'conflict',
    });
    expect(await recipes.update(id, { title: 'CRÈME BRÛLÉE' })).toMatchObject({ title: 'CRÈME BRÛLÉE' });
    expect((await recipes.list()).total).toBe(2);
  });

  it('distinguishes an unknown id from something that is not an id', async () => {
    for (const call of [
      (id: string) => recipes.get(id),
      (id: string) => recipes.update(id, { title: 'New' }),
      (id: string) => recipes.delete(id),
    ]) {
      expect(await refused(call(unknownId))).toMatchObject({ code: 'not_found' });
      expect(await refused(call("1' OR 1=1"))).toMatchObject({ code: 'invalid' });
      expect(await refused(call(''))).toMatchObject({ code: 'invalid' });
    }
  });

  it('deletes a recipe and frees its title', async () => {
    const { id } = await recipes.create(aRecipe({ title: 'Soup' }));
    expect(await recipes.delete(id)).toMatchObject({ id, title: 'Soup' });
    expect(await refused(recipes.get(id))).toMatchObject({ code: 'not_found' });
    await recipes.create(aRecipe({ title: 'Soup' }));
  });

  it('finds a recipe by its title, ignoring case', async () => {
    const { id } = await recipes.create(aRecipe({ title: 'Tomato Soup' }));
    expect(await recipes.findByTitle('tomato  SOUP')).toMatchObject({ id });
    expect(await recipes.findByTitle('tomato')).toBeUndefined();
  });

  it('lists recipes by title in pages, without ingredients and steps', async () => {
    for (const title of ['banana bread', 'Apple Pie', 'Cake']) await recipes.create(aRecipe({ title }));
    const { recipes: first, total } = await recipes.list({ limit: 2 });
    expect(total).toBe(3);
    expect(first.map(({ title }) => title)).toEqual(['Apple Pie', 'banana bread']);
    expect(Object.keys(first[0] ?? {})).not.toContain('steps');
    expect((await recipes.list({ offset: 2 })).recipes.map(({ title }) => title)).toEqual(['Cake']);
  });

  it('orders by position if set, and renumbers', async () => {
    const { steps } = await recipes.create(
      aRecipe({
        steps: [
          { position: 30, instruction: 'third' },
          { position: 10, instruction: 'first' },
          { position: 20, instruction: 'second' },
        ],
      }),
    );
    expect(steps.map(({ position, instruction }) => [position, instruction])).toEqual([
      [1, 'first'],
      [2, 'second'],
      [3, 'third'],
    ]);
  });

  it('stores text in any script, without control characters', async () => {
    const description = 'Schärfe 🌶️ نكهة "quoted"\nnext line';
    const { id } = await recipes.create(
      aRecipe({ description: `\u0000${description}\u001b[31m`, title: 'A\u0000B' }),
    );
    expect(await recipes.get(id)).toMatchObject({ title: 'AB', description: `${description}[31m` });
  });

  it('fills an empty database with samples, once', async () => {
    expect(await seedRecipes(recipes)).toBe(sampleRecipes().length);
    expect(await seedRecipes(recipes)).toBe(0);
    const { recipes: listed, total } = await recipes.list();
    expect(total).toBe(sampleRecipes().length);
    for (const { id } of listed) {
      const { ingredients, steps } = await recipes.get(id);
      expect(ingredients.length).toBeGreaterThan(4);
      expect(steps.some(({ duration_minutes }) => duration_minutes !== null)).toBe(true);
    }
  });

  it('does not touch a database of another program or of a newer version', async () => {
    const foreign = join(tempFolder(), 'foreign.db');
    const other = new Database(foreign);
    other.exec('CREATE TABLE things (id INTEGER)');
    other.close();
    expect(await refused(openRecipes({ file: foreign }))).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('another program'),
    });

    await recipes.close();
    const newer = new Database(file);
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    expect(await refused(openRecipes({ file }))).toMatchObject({
      message: expect.stringContaining('newer version'),
    });
  });

  it('says what is wrong with a file that is not a database, and does not touch it', async () => {
    const text = join(tempFolder(), 'notes.txt');
    writeFileSync(text, 'These are no recipes, but notes of more than a hundred characters. '.repeat(4));
    const before = readFileSync(text);
    expect(await refused(openRecipes({ file: text }))).toMatchObject({ code: 'unavailable' });
    expect(readFileSync(text)).toEqual(before);
  });

  it('makes the file readable only for its owner', () => {
    expect(statSync(file).mode & 0o077).toBe(0);
  });
});

function aRecipe(fields: Partial<NewRecipe> = {}): NewRecipe {
  return NewRecipe.parse({ title: 'A recipe', ingredients: [{ name: 'water' }], ...fields });
}

async function refused(call: Promise<unknown>): Promise<RecipeError> {
  const thrown: unknown = await call.then(
    () => new Error('expected a rejection'),
    (error: unknown) => error,
  );
  if (!(thrown instanceof RecipeError)) throw thrown;
  return thrown;
}
