// Recipes: what there is, showing one, creating one, and how long it takes.
import { type ReplyPart, sayInWords } from '../../reply.ts';
import type { Intent } from '../intent.ts';
import { bullets, count, sorry } from '../phrasing.ts';
import { recordsIn, unquote } from '../reading.ts';
import type { DoneCall, Scene } from '../scene.ts';
import { call, lastCall, offers } from '../tool-calls.ts';

const listRecipes: Intent = {
  name: 'list recipes',
  example: 'What recipes do I have?',
  needs: [['list_recipes']],
  next(scene) {
    if (!/\b(what|which|list|show|all|any)\b.*\brecipes\b/i.test(scene.said)) return undefined;
    const listed = lastCall(scene, 'list_recipes');
    if (listed === undefined) return [call(scene, 'list_recipes')];
    if (listed.failed) return [sorry('I could not look through the recipes', listed)];
    const recipes = recipesIn([listed]);
    if (recipes.length === 0) return [sayInWords('There are no recipes yet. Ask me to create one!')];
    return [
      sayInWords(
        `You have ${count(recipes.length, 'recipe')}:\n\n${bullets(recipes.map((recipe) => recipe.title))}`,
      ),
    ];
  },
};

const createRecipe: Intent = {
  name: 'create a recipe',
  example: 'Create a recipe for tomato soup',
  needs: [['create_recipe']],
  next(scene) {
    const wanted =
      /\b(?:create|make|add|write|save)\b.*?\brecipe\b(?:\s+(?:for|called|named|of))?\s+(.+)/is.exec(
        scene.said,
      )?.[1];
    if (wanted === undefined) return undefined;
    const title = titleCase(unquote(wanted.replace(/[?.!]+$/, '')));
    const created = lastCall(scene, 'create_recipe');
    if (created === undefined) return [call(scene, 'create_recipe', newRecipe(title))];
    if (created.failed) return [sorry(`I could not create ${title}`, created)];
    const id = recipesIn([created]).at(0)?.id ?? idIn(created.result);
    return show(scene, { id, title }) ?? [sayInWords(`${title} is now among your recipes.`)];
  },
};

const showRecipe: Intent = {
  name: 'show a recipe',
  example: 'Show me the tomato soup',
  needs: [['display_recipe', 'get_recipe']],
  next(scene) {
    const wanted =
      /\b(?:show|display|open|give|see)\b(?: me)?(?: the| my| a)?(?: recipe (?:for|of))?\s+(.+)/is.exec(
        scene.said,
      )?.[1];
    if (wanted === undefined || /\brecipes\b/i.test(scene.said)) return undefined;
    const title = unquote(wanted.replace(/[?.!]+$/, '').replace(/\s*\brecipe$/i, ''));
    const found = findRecipe(recipesIn(scene.everDone), title);
    if (found !== undefined) return show(scene, found) ?? [sayInWords(`Here is ${found.title}.`)];
    const listed = lastCall(scene, 'list_recipes');
    if (listed === undefined && offers(scene, 'list_recipes')) return [call(scene, 'list_recipes')];
    if (listed?.failed === true) return [sorry('I could not look through the recipes', listed)];
    if (
      lastCall(scene, 'display_recipe') === undefined &&
      offers(scene, 'display_recipe') &&
      listed === undefined
    ) {
      return [call(scene, 'display_recipe', { title })];
    }
    return [sayInWords(`I looked, and there is no recipe called “${title}”.`)];
  },
};

const howLong: Intent = {
  name: 'how long a recipe takes',
  example: 'How long does it take?',
  needs: [['get_recipe', 'list_recipes']],
  next(scene) {
    if (!/\bhow long\b|\bhow much time\b/i.test(scene.said)) return undefined;
    const known = recipesIn(scene.everDone);
    const named = known.findLast((recipe) => scene.said.toLowerCase().includes(recipe.title.toLowerCase()));
    const recipe = named ?? lastShown(scene, known);
    if (recipe === undefined) return [sayInWords('Which recipe do you mean? Ask me to show it first.')];
    const timed = known.findLast((other) => other.id === recipe.id && other.minutes !== undefined);
    if (timed?.minutes !== undefined) return [sayInWords(`${timed.title} takes ${timeOf(timed)}.`)];
    const fetched = lastCall(scene, 'get_recipe');
    if (fetched === undefined && offers(scene, 'get_recipe'))
      return [call(scene, 'get_recipe', { recipe_id: recipe.id })];
    return [sayInWords(`${recipe.title} does not say how long it takes.`)];
  },
};

export const recipeIntents: readonly Intent[] = [howLong, createRecipe, listRecipes, showRecipe];

type RecipeId = string | number;

type KnownRecipe = {
  readonly id: RecipeId | undefined;
  readonly title: string;
  readonly minutes?: number | undefined;
  readonly prep?: number | undefined;
  readonly cook?: number | undefined;
};

/** Shows the recipe if that is not done yet, in the panel where there is one; then says so. */
function show(scene: Scene, recipe: KnownRecipe): readonly ReplyPart[] | undefined {
  const name = offers(scene, 'display_recipe') ? 'display_recipe' : 'get_recipe';
  if (!offers(scene, name)) return undefined;
  const shown = lastCall(scene, name);
  if (shown === undefined) {
    return [call(scene, name, recipe.id === undefined ? { title: recipe.title } : { recipe_id: recipe.id })];
  }
  if (shown.failed) return [sorry(`I could not show ${recipe.title}`, shown)];
  const times = recipesIn([shown]).find((other) => other.minutes !== undefined);
  const sentence = times === undefined ? '' : ` It takes ${timeOf(times)}.`;
  const made = lastCall(scene, 'create_recipe') === undefined ? 'Here is' : 'I created';
  return [sayInWords(`${made} ${recipe.title}.${sentence}`)];
}

function recipesIn(calls: readonly DoneCall[]): readonly KnownRecipe[] {
  return calls
    .filter((done) => !done.failed && done.name.includes('recipe'))
    .flatMap((done) => recordsIn(done.result))
    .flatMap((record) => {
      const id = asId(record['recipe_id'] ?? record['id']);
      if (id === undefined || typeof record['title'] !== 'string') return [];
      const prep = minutes(record['prep_time_minutes']);
      const cook = minutes(record['cook_time_minutes']);
      const total = prep === undefined && cook === undefined ? undefined : (prep ?? 0) + (cook ?? 0);
      return [{ id, title: record['title'], prep, cook, minutes: total }];
    });
}

function lastShown(scene: Scene, known: readonly KnownRecipe[]): KnownRecipe | undefined {
  const shown = scene.everDone.findLast(
    (done) => /(?:display|get|create)_recipe$/.test(done.name) && !done.failed,
  );
  const id = asId(shown?.input['recipe_id']) ?? recipesIn(shown === undefined ? [] : [shown]).at(0)?.id;
  const byId = known.findLast((recipe) => id !== undefined && String(recipe.id) === String(id));
  return byId ?? (known.length === 1 ? known[0] : undefined);
}

function findRecipe(recipes: readonly KnownRecipe[], wanted: string): KnownRecipe | undefined {
  const words = wanted.toLowerCase();
  return (
    recipes.findLast((recipe) => recipe.title.toLowerCase() === words) ??
    recipes.findLast(
      (recipe) => recipe.title.toLowerCase().includes(words) || words.includes(recipe.title.toLowerCase()),
    )
  );
}

function idIn(result: string): RecipeId | undefined {
  const ids = recordsIn(result).map((record) => asId(record['recipe_id'] ?? record['id']));
  return ids.find((id) => id !== undefined) ?? /\bid\b\W*([\w-]+)/i.exec(result)?.[1];
}

function newRecipe(title: string): Readonly<Record<string, unknown>> {
  return {
    title,
    description: `A simple ${title.toLowerCase()}, written down by the scripted stand-in model of the demo.`,
    prep_time_minutes: 15,
    cook_time_minutes: 30,
    servings: 4,
    difficulty: 'easy',
    ingredients: [
      {
        position: 1,
        name: title.split(' ')[0]?.toLowerCase() ?? 'vegetables',
        quantity: 500,
        unit: 'g',
        notes: '',
      },
      { position: 2, name: 'olive oil', quantity: 2, unit: 'tbsp', notes: '' },
      { position: 3, name: 'salt', quantity: 1, unit: 'tsp', notes: 'to taste' },
    ],
    steps: [
      { position: 1, instruction: 'Wash and chop everything.', duration_minutes: 15 },
      {
        position: 2,
        instruction: 'Cook it gently in the oil until done.',
        duration_minutes: 30,
        temperature_celsius: 180,
      },
      { position: 3, instruction: 'Season with salt and serve.' },
    ],
  };
}

function timeOf({ prep, cook, minutes: total }: KnownRecipe): string {
  const parts = [prep === undefined ? '' : `${prep} to prepare`, cook === undefined ? '' : `${cook} to cook`];
  return `${total} minutes (${parts.filter((part) => part !== '').join(', ')})`;
}

function asId(value: unknown): RecipeId | undefined {
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

function minutes(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function titleCase(text: string): string {
  return text
    .replaceAll(/(^|\s)(\p{L})/gu, (_, gap: string, letter: string) => gap + letter.toUpperCase())
    .replace(/^(A|The) /, '');
}
