// Sample recipes, for demo mode and for trying the vault.
import { NewRecipe } from './recipe.ts';
import type { Recipes } from './recipes.ts';

/** Adds the sample recipes to an empty database. Returns how many were added. */
export function seedRecipes(recipes: Recipes): Promise<number> {
  return recipes.fillIfEmpty(sampleRecipes());
}

type Amount = readonly [quantity: number | null, unit: string | null, name: string, notes?: string];
type Action = readonly [instruction: string, more?: { readonly minutes?: number; readonly celsius?: number }];

interface Sample {
  readonly title: string;
  readonly description: string;
  readonly prep: number;
  readonly cook: number;
  readonly servings: number;
  readonly difficulty: 'easy' | 'medium' | 'hard';
  readonly ingredients: readonly Amount[];
  readonly steps: readonly Action[];
}

const samples: readonly Sample[] = [
  {
    title: 'Roasted Tomato Soup',
    description: 'Oven tomatoes, garlic and a little cream: the soup for the first cold evening of the year.',
    prep: 15,
    cook: 50,
    servings: 4,
    difficulty: 'easy',
    ingredients: [
      [1_200, 'g', 'ripe tomatoes', 'halved'],
      [1, null, 'onion', 'in wedges'],
      [5, 'cloves', 'garlic', 'unpeeled'],
      [3, 'tbsp', 'olive oil'],
      [1, 'tsp', 'salt'],
      [500, 'ml', 'vegetable stock'],
      [80, 'ml', 'cream', 'or oat cream'],
      [1, 'handful', 'basil leaves'],
    ],
    steps: [
      ['Heat the oven.', { celsius: 200 }],
      ['Toss tomatoes, onion and garlic with oil and salt on a baking sheet, cut sides up.'],
      ['Roast until the edges of the tomatoes turn dark.', { minutes: 40, celsius: 200 }],
      ['Squeeze the garlic out of its skins and put everything into a pot with the stock.'],
      ['Simmer, then blend until smooth.', { minutes: 10, celsius: 95 }],
      ['Stir in the cream, season, and serve with basil.'],
    ],
  },
  {
    title: 'Overnight Rye Bread',
    description: 'A dense loaf that needs patience and hardly any work; best on the day after baking.',
    prep: 25,
    cook: 55,
    servings: 12,
    difficulty: 'medium',
    ingredients: [
      [350, 'g', 'rye flour', 'wholegrain'],
      [150, 'g', 'bread flour'],
      [420, 'ml', 'water', 'lukewarm'],
      [3, 'g', 'dry yeast'],
      [11, 'g', 'salt'],
      [1, 'tbsp', 'honey'],
      [2, 'tbsp', 'sunflower seeds', 'for the top'],
    ],
    steps: [
      ['Stir everything except the seeds into a sticky dough. No kneading.'],
      ['Cover and leave at room temperature overnight.', { minutes: 720 }],
      [
        'Fill into a lined loaf tin with a wet spoon, sprinkle the seeds on top, let it rise again.',
        { minutes: 60 },
      ],
      ['Heat the oven with an empty tray at the bottom.', { celsius: 240 }],
      ['Pour a cup of water into the tray, put the loaf in.', { minutes: 15, celsius: 240 }],
      ['Turn the heat down and keep baking until the loaf sounds hollow.', { minutes: 40, celsius: 200 }],
      ['Let it cool on a rack before cutting.', { minutes: 120 }],
    ],
  },
  {
    title: 'Lemon Chicken Traybake',
    description: 'Chicken, potatoes and lemon from one tray: ten minutes of work for a family dinner.',
    prep: 10,
    cook: 45,
    servings: 4,
    difficulty: 'easy',
    ingredients: [
      [8, null, 'chicken thighs', 'with skin'],
      [800, 'g', 'waxy potatoes', 'quartered'],
      [2, null, 'lemons', 'one sliced, one juiced'],
      [1, 'bulb', 'garlic', 'cloves separated, unpeeled'],
      [3, 'tbsp', 'olive oil'],
      [2, 'tsp', 'dried oregano'],
      [1.5, 'tsp', 'salt'],
      [100, 'g', 'green olives'],
    ],
    steps: [
      ['Heat the oven.', { celsius: 210 }],
      ['Mix oil, lemon juice, oregano and salt, and toss potatoes and chicken in it.'],
      ['Spread on a tray, skin up, with the lemon slices and garlic between.'],
      [
        'Roast until the skin is crisp and the thickest piece reaches 75 °C inside.',
        { minutes: 40, celsius: 210 },
      ],
      ['Scatter the olives over it for the last minutes.', { minutes: 5, celsius: 210 }],
    ],
  },
  {
    title: 'Red Lentil Dal',
    description:
      'Creamy lentils with a spoon of spiced butter; on the table in half an hour, better the next day.',
    prep: 10,
    cook: 25,
    servings: 4,
    difficulty: 'easy',
    ingredients: [
      [300, 'g', 'red lentils', 'rinsed'],
      [900, 'ml', 'water'],
      [1, 'tsp', 'turmeric'],
      [2, 'cm', 'ginger', 'grated'],
      [400, 'g', 'chopped tomatoes', 'one tin'],
      [3, 'tbsp', 'butter', 'or coconut oil'],
      [2, 'tsp', 'cumin seeds'],
      [3, 'cloves', 'garlic', 'sliced'],
      [1, null, 'red chili', 'optional'],
      [1, 'tsp', 'salt'],
    ],
    steps: [
      ['Bring lentils, water, turmeric and ginger to a boil and skim.', { minutes: 5 }],
      ['Add the tomatoes and simmer, stirring now and then.', { minutes: 18 }],
      ['Melt the butter and fry cumin, garlic and chili until golden.', { minutes: 2 }],
      ['Pour the butter over the lentils, salt, and serve with rice or flatbread.'],
    ],
  },
  {
    title: 'Apple Crumble',
    description: 'Warm apples under oat crumble. Keeps well, if there is any left.',
    prep: 20,
    cook: 35,
    servings: 6,
    difficulty: 'easy',
    ingredients: [
      [1, 'kg', 'tart apples', 'peeled, in chunks'],
      [0.5, null, 'lemon', 'juiced'],
      [1, 'tsp', 'cinnamon'],
      [120, 'g', 'plain flour'],
      [80, 'g', 'rolled oats'],
      [100, 'g', 'brown sugar'],
      [120, 'g', 'cold butter', 'cubed'],
      [1, 'pinch', 'salt'],
    ],
    steps: [
      ['Heat the oven and butter a baking dish.', { celsius: 190 }],
      ['Mix apples, lemon juice and cinnamon in the dish.'],
      [
        'Rub flour, oats, sugar, butter and salt into coarse crumbs with your fingers, and scatter them on top.',
      ],
      ['Bake until golden and bubbling at the edges.', { minutes: 35, celsius: 190 }],
      ['Let it rest before serving, with custard or ice cream.', { minutes: 10 }],
    ],
  },
  {
    title: 'Mushroom Risotto',
    description:
      'Stirred with patience, finished with butter and parmesan. For two who like to talk while cooking.',
    prep: 15,
    cook: 30,
    servings: 2,
    difficulty: 'medium',
    ingredients: [
      [160, 'g', 'risotto rice'],
      [250, 'g', 'mushrooms', 'sliced'],
      [1, null, 'shallot', 'finely chopped'],
      [80, 'ml', 'dry white wine'],
      [700, 'ml', 'vegetable stock', 'hot'],
      [40, 'g', 'butter'],
      [40, 'g', 'parmesan', 'grated'],
      [null, null, 'salt and pepper', 'to taste'],
    ],
    steps: [
      ['Fry the mushrooms in a third of the butter until brown, and set them aside.', { minutes: 7 }],
      ['Soften the shallot in another third, add the rice and stir until it is translucent.', { minutes: 4 }],
      ['Add the wine and let it boil away.', { minutes: 2 }],
      [
        'Add the hot stock one ladle at a time, stirring, until the rice is tender but firm.',
        { minutes: 18 },
      ],
      [
        'Off the heat, stir in mushrooms, parmesan and the rest of the butter; cover and wait.',
        { minutes: 2 },
      ],
    ],
  },
];

export function sampleRecipes(): readonly NewRecipe[] {
  return samples.map((sample) =>
    NewRecipe.parse({
      title: sample.title,
      description: sample.description,
      prep_time_minutes: sample.prep,
      cook_time_minutes: sample.cook,
      servings: sample.servings,
      difficulty: sample.difficulty,
      ingredients: sample.ingredients.map(([quantity, unit, name, notes]) => ({
        name,
        quantity,
        unit,
        notes,
      })),
      steps: sample.steps.map(([instruction, more]) => ({
        instruction,
        duration_minutes: more?.minutes,
        temperature_celsius: more?.celsius,
      })),
    }),
  );
}
