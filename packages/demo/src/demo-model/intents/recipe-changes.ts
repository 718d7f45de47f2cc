// Changing recipes: creating one, changing its servings, deleting it.
import { sayInWords } from '../../anthropic/reply.ts';
import type { Intent } from '../intent.ts';
import { sorry } from '../phrasing.ts';
import { recordsIn, unquote } from '../reading.ts';
import { call, lastCall } from '../tool-calls.ts';
import { asId, lookUp, type RecipeId, recipesIn, show, titleIn } from './known-recipes.ts';

/** Each captures the title and, after “with”, the ingredients. */
const waysToAsk: readonly RegExp[] = [
  /\b(?:create|add|write|save|make (?:me |us )?(?:a|another))\b.*?\brecipe\b:?(?:\s+(?:for|called|named|of))?\s+(.+)/is,
  /\b(?:write|note) down\s+(.+)/is,
];

const createRecipe: Intent = {
  name: 'create a recipe',
  example: 'Create a recipe for plum cake with plums, flour and butter',
  needs: [['create_recipe']],
  next(scene) {
    const wanted = waysToAsk.map((way) => way.exec(scene.said)?.[1]).find((title) => title !== undefined);
    if (wanted === undefined) return undefined;
    const [name = '', ...rest] = wanted.split(/\s+with\s+/i);
    const title = titleCase(titleIn(name));
    const created = lastCall(scene, 'create_recipe');
    if (created === undefined)
      return [call(scene, 'create_recipe', newRecipe(title, ingredientsIn(rest.join(' '))))];
    if (created.failed) return [sorry(`I couldn't create ${title}`, created)];
    const id = recipesIn([created]).at(0)?.id ?? idIn(created.result);
    return show(scene, { id, title }, 'I created') ?? [sayInWords(`I added ${title} to your recipes.`)];
  },
};

const changeServings: Intent = {
  name: 'cook for more people',
  example: 'Make the apple crumble for eight',
  needs: [['update_recipe']],
  next(scene) {
    const [, wanted, amount] =
      /\b(?:make|change|scale|set)\b\s+(?:the servings (?:of|for)\s+)?(.+?)\s+(?:for|to)\s+(\w+)(?:\s+(?:people|persons|servings|of us))?[.!\s]*$/is.exec(
        scene.said,
      ) ?? [];
    const servings = numberIn(amount ?? '');
    if (wanted === undefined || servings === undefined) return undefined;
    const looked = lookUp(scene, wanted);
    if ('next' in looked) return looked.next;
    const { found } = looked;
    const changed = lastCall(scene, 'update_recipe');
    if (changed === undefined) return [call(scene, 'update_recipe', { recipe_id: found.id, servings })];
    if (changed.failed) return [sorry(`I couldn't change ${found.title}`, changed)];
    const opening = `It now serves ${servings}; the amounts are unchanged. Here is`;
    return show(scene, found, opening) ?? [sayInWords(`${found.title} now serves ${servings}.`)];
  },
};

const deleteRecipe: Intent = {
  name: 'delete a recipe',
  example: 'Delete the rye bread',
  needs: [['delete_recipe']],
  next(scene) {
    const wanted = /\b(?:delete|remove|throw away)\b\s+(.+)/is.exec(scene.said)?.[1];
    if (wanted === undefined) return undefined;
    const deleted = lastCall(scene, 'delete_recipe');
    if (deleted?.failed === true) return [sorry("I couldn't delete it", deleted)];
    if (deleted !== undefined) return [sayInWords('I deleted it.')];
    const looked = lookUp(scene, wanted);
    if ('next' in looked) return looked.next;
    const { id, title } = looked.found;
    if (/^\W*yes\b/i.test(scene.said)) return [call(scene, 'delete_recipe', { recipe_id: id })];
    return [
      sayInWords(
        `This deletes ${title} for good. To go ahead, say “Yes, delete the ${title.toLowerCase()}”.`,
      ),
    ];
  },
};

export const recipeChangeIntents: readonly Intent[] = [createRecipe, changeServings, deleteRecipe];

function idIn(result: string): RecipeId | undefined {
  const ids = recordsIn(result).map((record) => asId(record['recipe_id'] ?? record['id']));
  return ids.find((id) => id !== undefined) ?? /\bid\b\W*([\w-]+)/i.exec(result)?.[1];
}

const maxIngredients = 20;

/** Splits “200 g flour, plums and sugar” into ingredients. */
function ingredientsIn(list: string): readonly Readonly<Record<string, unknown>>[] {
  return list
    .split(/,|\band\b|;|\n/i)
    .map((item) => unquote(item.replace(/[?.!\s]+$/, '')))
    .filter((item) => item !== '')
    .slice(0, maxIngredients)
    .map((item, at) => {
      const [, quantity, unit, name] =
        /^(\d+(?:\.\d+)?)\s*(kg|g|ml|l|tbsp|tsp|cups?)?\b\s*(.+)$/i.exec(item) ?? [];
      return {
        position: at + 1,
        name: name ?? item,
        ...(quantity !== undefined && { quantity: Number(quantity) }),
        ...(unit !== undefined && { unit }),
      };
    });
}

function newRecipe(
  title: string,
  ingredients: readonly Readonly<Record<string, unknown>>[],
): Readonly<Record<string, unknown>> {
  const main = title.split(' ')[0]?.toLowerCase() ?? 'vegetables';
  return {
    title,
    description: `A simple ${title.toLowerCase()}, made up by the demo model.`,
    prep_time_minutes: 15,
    cook_time_minutes: 30,
    servings: 4,
    difficulty: 'easy',
    ingredients:
      ingredients.length > 0
        ? ingredients
        : [
            { position: 1, name: main, quantity: 500, unit: 'g', notes: '' },
            { position: 2, name: 'olive oil', quantity: 2, unit: 'tbsp', notes: '' },
            { position: 3, name: 'salt', quantity: 1, unit: 'tsp', notes: 'to taste' },
          ],
    steps: [
      { position: 1, instruction: 'Prepare everything.', duration_minutes: 15 },
      {
        position: 2,
        instruction: 'Cook it gently until done.',
        duration_minutes: 30,
        temperature_celsius: 180,
      },
      { position: 3, instruction: 'Taste, season and serve.' },
    ],
  };
}

const numbers = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');

function numberIn(word: string): number | undefined {
  if (/^\d{1,3}$/.test(word)) return Number(word);
  const at = numbers.indexOf(word.toLowerCase());
  return at === -1 ? undefined : at + 1;
}

function titleCase(text: string): string {
  return text.replaceAll(/(^|\s)(\p{L})/gu, (_, gap: string, letter: string) => gap + letter.toUpperCase());
}
