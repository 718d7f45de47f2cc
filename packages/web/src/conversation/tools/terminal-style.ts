// Terminal styles, reduced to the few colors that are legible on every background of both themes. Any other color
// becomes the nearest of them.

const hues = ['red', 'green', 'yellow', 'blue', 'magenta', 'cyan'] as const;
type Hue = (typeof hues)[number];
/** `ink` is the color of ordinary text. */
export type TerminalColor = Hue | `bright-${Hue}` | 'gray' | 'ink';

export const terminalColors: readonly TerminalColor[] = [
  ...hues,
  ...hues.map((hue) => `bright-${hue}` as const),
  'gray',
  'ink',
];

/** Every part stays in effect until it is reset. */
export interface TerminalStyle {
  readonly color?: TerminalColor | undefined;
  readonly background?: TerminalColor | undefined;
  readonly isBold?: boolean;
  readonly isDim?: boolean;
  readonly isItalic?: boolean;
  readonly isUnderlined?: boolean;
  readonly isInverse?: boolean;
}

export const plainStyle: TerminalStyle = {};

/** The numbers of one escape, such as `1;31` or `38:5:208`. Unknown ones change nothing. */
export function withStyle(before: TerminalStyle, parameters: string): TerminalStyle {
  const asked = parameters.split(';');
  let style = before;
  for (let at = 0; at < asked.length; at += 1) {
    const [code = 0, ...joined] = (asked[at] ?? '').split(':').map(Number);
    if (code !== 38 && code !== 48 && code !== 58) {
      style = withCode(style, code, joined[0]);
      continue;
    }
    const rest = joined.length > 0 ? joined : asked.slice(at + 1, at + 5).map(Number);
    const { color, taken } = extended(rest);
    if (joined.length === 0) at += taken;
    if (color !== undefined && code !== 58)
      style = code === 38 ? { ...style, color } : { ...style, background: color };
  }
  return style;
}

function withCode(style: TerminalStyle, code: number, variant: number | undefined): TerminalStyle {
  if (code >= 30 && code <= 37) return { ...style, color: named(code - 30) };
  if (code >= 40 && code <= 47) return { ...style, background: named(code - 40) };
  if (code >= 90 && code <= 97) return { ...style, color: named(code - 82) };
  if (code >= 100 && code <= 107) return { ...style, background: named(code - 92) };
  switch (code) {
    case 0:
      return plainStyle;
    case 1:
      return { ...style, isBold: true };
    case 2:
      return { ...style, isDim: true };
    case 3:
      return { ...style, isItalic: true };
    case 4:
      return { ...style, isUnderlined: variant !== 0 };
    case 7:
      return { ...style, isInverse: true };
    case 21:
      return { ...style, isUnderlined: true };
    case 22:
      return { ...style, isBold: false, isDim: false };
    case 23:
      return { ...style, isItalic: false };
    case 24:
      return { ...style, isUnderlined: false };
    case 27:
      return { ...style, isInverse: false };
    case 39:
      return { ...style, color: undefined };
    case 49:
      return { ...style, background: undefined };
    default:
      return style;
  }
}

/** One of 256 colors, or red, green and blue; and how many numbers that takes. */
function extended([kind, ...rest]: readonly number[]): { color?: TerminalColor; taken: number } {
  if (kind === 5) return { color: ofPalette(rest[0] ?? 0), taken: 2 };
  if (kind !== 2) return { taken: 1 };
  // With colons, the name of a color space may come first.
  const [red = 0, green = 0, blue = 0] = rest.slice(-3);
  return { color: nearest(red, green, blue), taken: 4 };
}

/** One of the sixteen colors. Black and white become the color of text in either theme. */
function named(at: number): TerminalColor {
  const order: readonly (Hue | undefined)[] = [
    undefined,
    'red',
    'green',
    'yellow',
    'blue',
    'magenta',
    'cyan',
    undefined,
  ];
  const hue = order[at % 8];
  if (hue === undefined) return at === 8 ? 'gray' : 'ink';
  return at < 8 ? hue : `bright-${hue}`;
}

function ofPalette(at: number): TerminalColor {
  if (!(at >= 16)) return named(at >= 0 ? at : 0);
  if (at >= 232) return nearest((at - 232) * 10 + 8, (at - 232) * 10 + 8, (at - 232) * 10 + 8);
  const level = (step: number) => (step === 0 ? 0 : step * 40 + 55);
  const place = at - 16;
  return nearest(level(Math.floor(place / 36)), level(Math.floor(place / 6) % 6), level(place % 6));
}

/** Where each hue ends on the color circle, in degrees. */
const circle: readonly (readonly [number, Hue])[] = [
  [20, 'red'],
  [70, 'yellow'],
  [165, 'green'],
  [200, 'cyan'],
  [265, 'blue'],
  [345, 'magenta'],
  [360, 'red'],
];

function nearest(red: number, green: number, blue: number): TerminalColor {
  const [least, most] = [Math.min(red, green, blue), Math.max(red, green, blue)];
  const lightness = (least + most) / 2;
  if (!(most - least > 40)) return lightness > 70 && lightness < 190 ? 'gray' : 'ink';
  const degrees = degreesOf(red, green, blue, most, most - least);
  const hue = circle.find(([end]) => degrees <= end)?.[1] ?? 'red';
  return lightness > 150 ? `bright-${hue}` : hue;
}

function degreesOf(red: number, green: number, blue: number, most: number, chroma: number): number {
  if (most === red) return (((green - blue) / chroma) * 60 + 360) % 360;
  if (most === green) return ((blue - red) / chroma) * 60 + 120;
  return ((red - green) / chroma) * 60 + 240;
}
