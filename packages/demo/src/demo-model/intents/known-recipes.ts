// The recipes that a conversation knows from tool results, found again by what a person calls them.
import { type ReplyPart, sayInWords } from '../../anthropic/reply.ts';
import { sorry } from '../phrasing.ts';
import { recordsIn, unquote } from '../reading.ts';
import type { DoneCall, Scene } from '../scene.ts';
import { call, lastCall, offers } from '../tool-calls.ts';

export type RecipeId = string | number;

export type KnownRecipe = {
  readonly id: RecipeId | undefined;
  readonly title: string;
  readonly minutes?: number | undefined;
  readonly prep?: number | undefined;
  readonly cook?: number | undefined;
};

/** The recipe that the person means, or the next step to find it. */
export function lookUp(
  scene: Scene,
  wanted: string,
): { readonly found: KnownRecipe } | { readonly next: readonly ReplyPart[] } {
  const title = titleIn(wanted);
  const found = isPronoun(title)
    ? lastShown(scene, recipesIn(scene.everDone))
    : findRecipe(recipesIn(scene.everDone), title);
  if (found !== undefined) return { found };
  const listed = lastCall(scene, 'list_recipes');
  if (listed === undefined && offers(scene, 'list_recipes')) return { next: [call(scene, 'list_recipes')] };
  if (listed?.failed === true) return { next: [sorry("I couldn't look through the recipes", listed)] };
  return { next: [sayInWords(`I looked, but there is no recipe called “${title}”.`)] };
}

/** Shows the recipe unless it is already shown, in the panel if there is one, and says so. */
export function show(
  scene: Scene,
  recipe: KnownRecipe,
  opening = 'Here is',
): readonly ReplyPart[] | undefined {
  const name = offers(scene, 'display_recipe') ? 'display_recipe' : 'get_recipe';
  if (!offers(scene, name)) return undefined;
  const shown = lastCall(scene, name);
  if (shown === undefined) {
    return [call(scene, name, recipe.id === undefined ? { title: recipe.title } : { recipe_id: recipe.id })];
  }
  if (shown.failed) return [sorry(`I couldn't show ${recipe.title}`, shown)];
  const times = recipesIn([shown]).find((other) => other.minutes !== undefined);
  const sentence = times === undefined ? '' : ` It takes ${timeOf(times)}.`;
  return [sayInWords(`${opening} ${recipe.title}.${sentence}`)];
}

export function recipesIn(calls: readonly DoneCall[]): readonly KnownRecipe[] {
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

export function lastShown(scene: Scene, known: readonly KnownRecipe[]): KnownRecipe | undefined {
  const shown = scene.everDone.findLast(
    (done) => /(?:display|get|create)_recipe$/.test(done.name) && !done.failed,
  );
  const id = asId(shown?.input['recipe_id']) ?? recipesIn(shown === undefined ? [] : [shown]).at(0)?.id;
  const byId = known.findLast((recipe) => id !== undefined && String(recipe.id) === String(id));
  return byId ?? (known.length === 1 ? known[0] : undefined);
}

export function timeOf({ prep, cook, minutes: total }: KnownRecipe): string {
  const parts = [prep === undefined ? '' : `${prep} to prepare`, cook === undefined ? '' : `${cook} to cook`];
  return `${total} minutes (${parts.filter((part) => part !== '').join(', ')})`;
}

export function asId(value: unknown): RecipeId | undefined {
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

/** Strips the words that people put around a title. */
export function titleIn(words: string): string {
  const bare = words
    .trim()
    .replace(/[?.!,\s]+$/, '')
    .replace(/[,\s]+please$/i, '')
    .replace(/\s+(?:tonight|today|now|tomorrow)$/i, '')
    .replace(/^(?:the|my|our|a|an)\s+/i, '')
    .replace(/^recipe\s+(?:for|of)\s+(?:the\s+|an?\s+)?/i, '')
    .replace(/\s+recipe$/i, '');
  return unquote(bare);
}

function isPronoun(title: string): boolean {
  return /^(?:it|this|that|this one|that one|recipe)$/i.test(title);
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

function minutes(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
