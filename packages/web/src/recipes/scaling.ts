// Scales the amounts of a recipe and writes them as cooks do.
import { i18n } from '../i18n/translate.ts';

/** Weights and volumes have decimals; spoons, cups and pieces have fractions. */
const inDecimals = /^(g|kg|mg|ml|cl|dl|l|litres?|liters?|grams?|oz|lb|lbs|pounds?)$/i;

/** Nobody measures these: halves are enough. */
const byFeel = /^(pinch(es)?|dash(es)?|handfuls?|drops?|sprigs?|prisen?|spritzer|handvoll|tropfen|zweige?)$/i;

type Fraction = readonly [value: number, sign: string];

const halves: readonly Fraction[] = [
  [0, ''],
  [1 / 2, '½'],
  [1, ''],
];
const quarters: readonly Fraction[] = [...halves, [1 / 4, '¼'], [3 / 4, '¾']];
/** What measuring spoons and cups come in. */
const measures: readonly Fraction[] = [...quarters, [1 / 3, '⅓'], [2 / 3, '⅔']];
const smallMeasures: readonly Fraction[] = [...measures, [1 / 8, '⅛']];

/** Larger amounts are rounded to whole numbers. */
const largestWithFraction = 10;

export function amountText(quantity: number | null, unit: string | null, factor: number): string {
  if (quantity === null) return unit ?? '';
  const amount = quantity * factor;
  const measure = unit?.trim() ?? '';
  const text = inDecimals.test(measure) ? decimal(amount) : fraction(amount, fractionsFor(measure, amount));
  return measure === '' ? text : `${text} ${unit}`;
}

function decimal(amount: number): string {
  if (amount >= 100) return i18n.number(round(amount, 5));
  if (amount >= 10) return i18n.number(Math.round(amount));
  return i18n.number(amount, { maximumSignificantDigits: 2 });
}

function fractionsFor(measure: string, amount: number): readonly Fraction[] {
  if (byFeel.test(measure)) return halves;
  if (measure === '') return amount < 1 ? measures : quarters;
  return amount < 1 ? smallMeasures : measures;
}

function fraction(amount: number, fractions: readonly Fraction[]): string {
  if (amount >= largestWithFraction) return i18n.number(Math.round(amount));
  const whole = Math.floor(amount);
  const rest = amount - whole;
  const [nearest, sign] = fractions.reduce((best, candidate) =>
    Math.abs(candidate[0] - rest) < Math.abs(best[0] - rest) ? candidate : best,
  );
  const full = whole + (nearest === 1 ? 1 : 0);
  // Less than the smallest fraction is still more than nothing.
  if (full === 0 && sign === '') return amount > 0 ? smallest(fractions) : '0';
  return `${full === 0 ? '' : full}${sign}`;
}

function smallest(fractions: readonly Fraction[]): string {
  return fractions
    .filter(([value]) => value > 0)
    .reduce((least, next) => (next[0] < least[0] ? next : least))[1];
}

function round(amount: number, step: number): number {
  return Math.round(amount / step) * step;
}

export function minutesText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const amount = (value: number, unit: string) => i18n.number(value, { style: 'unit', unit });
  if (hours === 0) return amount(rest, 'minute');
  return rest === 0 ? amount(hours, 'hour') : `${amount(hours, 'hour')} ${amount(rest, 'minute')}`;
}
