// Describes a browser and its system in a few words, so that people recognize their devices in a list.

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
];
/** Programs name themselves first, such as `curl/8.5.0`. */
const program = /^([\w.-]{1,40})(?:\/|$)/;

export function deviceOf(userAgent: string | undefined): string | undefined {
  if (userAgent === undefined) return undefined;
  const named = (list: typeof browsers) => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser =
    named(browsers) ?? (userAgent.startsWith('Mozilla/') ? undefined : program.exec(userAgent)?.[1]);
  const system = named(systems);
  if (browser === undefined) return system;
  return system === undefined ? browser : `${browser} · ${system}`;
}
