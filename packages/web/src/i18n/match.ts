// Matches the languages a person prefers with the available ones.

/** Matches `de-AT` with `de`, and `pt` with `pt-BR`, in the person's order of preference. */
export function bestLanguage(preferred: readonly string[], available: readonly string[]): string {
  for (const wanted of preferred) {
    const found =
      available.find((one) => one.toLowerCase() === wanted.toLowerCase()) ??
      available.find((one) => base(one) === base(wanted));
    if (found !== undefined) return found;
  }
  return 'en';
}

/** The person's regional variants of a language, for dates and numbers. */
export function regionsOf(language: string, preferred: readonly string[]): string[] {
  return [...preferred.filter((wanted) => base(wanted) === base(language) && isTag(wanted)), language];
}

/** Some browsers list `en-US@posix`, which Intl rejects. */
function isTag(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length > 0;
  } catch {
    return false;
  }
}

function base(language: string): string {
  return language.toLowerCase().split('-')[0] ?? language;
}
