// Scaled amounts of a recipe.
import { describe, expect, it } from 'vitest';
import { amountText, minutesText } from '../src/recipes/scaling.ts';

describe('an amount', () => {
  it('is a fraction for spoons and pieces', () => {
    expect(amountText(1, 'tsp', 0.5)).toBe('½ tsp');
    expect(amountText(1, null, 1.5)).toBe('1½');
    expect(amountText(1, 'cup', 2 / 3)).toBe('⅔ cup');
    expect(amountText(3, null, 1 / 4)).toBe('¾');
    expect(amountText(2, 'tbsp', 2)).toBe('4 tbsp');
    expect(amountText(1, 'clove', 0.999)).toBe('1 clove');
    expect(amountText(1, 'tsp', 0.01)).toBe('⅛ tsp');
    expect(amountText(5, null, 3.1)).toBe('16');
  });

  it('has only fractions that a kitchen has', () => {
    expect(amountText(1, 'pinch', 9 / 8)).toBe('1 pinch');
    expect(amountText(1, 'pinch', 0.01)).toBe('½ pinch');
    expect(amountText(3, 'pinches', 0.5)).toBe('1½ pinches');
    expect(amountText(1, 'cup', 1.2)).toBe('1¼ cup');
    expect(amountText(1, 'tsp', 1 / 8)).toBe('⅛ tsp');
    expect(amountText(3, null, 0.45)).toBe('1¼');
    expect(amountText(1, null, 3 / 8)).toBe('⅓');
  });

  it('is a decimal for weights and volumes', () => {
    expect(amountText(120, 'g', 1.5)).toBe('180 g');
    expect(amountText(1_200, 'g', 1 / 3)).toBe('400 g');
    expect(amountText(1, 'kg', 1 / 6)).toBe('0.17 kg');
    expect(amountText(33, 'ml', 1)).toBe('33 ml');
  });

  it('is left out if the recipe has none', () => {
    expect(amountText(null, null, 2)).toBe('');
    expect(amountText(null, 'to taste', 2)).toBe('to taste');
  });
});

describe('a time', () => {
  it('is in hours from sixty minutes on', () => {
    expect([5, 60, 95].map(minutesText)).toEqual(['5 min', '1 hr', '1 hr 35 min']);
  });
});
