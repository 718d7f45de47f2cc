// Recipes: listing them, showing one, its ingredients, and how long it takes.
import { sayInWords } from '../../anthropic/reply.ts';
import type { Intent } from '../intent.ts';
import { bullets, count, sorry } from '../phrasing.ts';
import { recordsIn } from '../reading.ts';
import { call, lastCall, offers } from '../tool-calls.ts';
import { lastShown, lookUp, recipesIn, show, timeOf, titleIn } from './known-recipes.ts';
import { recipeChangeIntents } from './recipe-changes.ts';

const listRecipes: Intent = {
  name: 'list recipes',
  example: 'What recipes do I have?',
  needs: [['list_recipes']],
  next(scene) {
    const asks =
      /\b(what|which|list|show|all|any|my)\b.*\brecipes\b/i.test(scene.said) ||
      /^\W*recipes\W*$/i.test(scene.said) ||
      /\bwhat (?:can|could|shall|should|do) (?:i|we) (?:cook|make|bake|eat)\b/i.test(scene.said);
    if (!asks) return undefined;
    const listed = lastCall(scene, 'list_recipes');
    if (listed === undefined) return [call(scene, 'list_recipes')];
    if (listed.failed) return [sorry("I couldn't look through the recipes", listed)];
    const recipes = recipesIn([listed]);
    if (recipes.length === 0) return [sayInWords('There are no recipes yet. Ask me to create one!')];
    return [
      sayInWords(
        `You have ${count(recipes.length, 'recipe')}:\n\n${bullets(recipes.map((recipe) => recipe.title))}`,
      ),
    ];
  },
};

/** Each captures the title. */
const waysToAsk: readonly RegExp[] = [
  /\b(?:show|display|open|give|see|read)\b(?: me)?\s+(.+)/is,
  /\b(?:how (?:do|can|would) (?:i|we)|let['’]s|let us|(?:i|we)(?: would|['’]d)? (?:want|like) to) (?:cook|make|bake)\s+(.+)/is,
  /\bdo (?:i|we) have (?:a|the) recipe for\s+(.+)/is,
  /\bingredients\b.*?\b(?:for|of|in)\s+(.+)/is,
];

const showRecipe: Intent = {
  name: 'show a recipe',
  example: 'Show me the tomato soup',
  needs: [['display_recipe', 'get_recipe']],
  next(scene) {
    const wanted = waysToAsk.map((way) => way.exec(scene.said)?.[1]).find((title) => title !== undefined);
    // “Show me some …” doesn't ask for a recipe.
    if (wanted === undefined || /^some\b/i.test(wanted) || /\brecipes\b/i.test(scene.said)) return undefined;
    const looked = lookUp(scene, wanted);
    if ('found' in looked) return show(scene, looked.found) ?? [sayInWords(`Here is ${looked.found.title}.`)];
    const isLookedFor = offers(scene, 'list_recipes') || lastCall(scene, 'display_recipe') !== undefined;
    if (isLookedFor || !offers(scene, 'display_recipe')) return looked.next;
    return [call(scene, 'display_recipe', { title: titleIn(wanted) })];
  },
};

const whatGoesIn: Intent = {
  name: 'what goes into a recipe',
  example: 'Does the dal need coconut milk?',
  needs: [['get_recipe']],
  next(scene) {
    const [, wanted, thing = ''] =
      /\b(?:does|do)\s+(.+?)\s+(?:need|needs|contain|have|use)\s+(.+)/is.exec(scene.said) ?? [];
    if (wanted === undefined || /^(?:i|we|you)$/i.test(wanted)) return undefined;
    const looked = lookUp(scene, wanted);
    if ('next' in looked) return looked.next;
    const fetched = lastCall(scene, 'get_recipe');
    if (fetched === undefined) return [call(scene, 'get_recipe', { recipe_id: looked.found.id })];
    if (fetched.failed) return [sorry(`I couldn't read ${looked.found.title}`, fetched)];
    const word = titleIn(thing).replace(/^any\s+/i, '');
    const found = recordsIn(fetched.result).find(
      ({ name }) => typeof name === 'string' && name.toLowerCase().includes(word.toLowerCase()),
    );
    if (found === undefined) return [sayInWords(`No, there is no ${word} in ${looked.found.title}.`)];
    const amount = [found['quantity'], found['unit']].filter((part) => part !== null && part !== undefined);
    return [sayInWords(`Yes: ${[...amount, found['name']].join(' ')}.`)];
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
    return [sayInWords(`${recipe.title} doesn't say how long it takes.`)];
  },
};

export const recipeIntents: readonly Intent[] = [
  howLong,
  ...recipeChangeIntents,
  whatGoesIn,
  listRecipes,
  showRecipe,
];
