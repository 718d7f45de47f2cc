// Finds the language for a person among those that there are.

/** Matches `de-AT` with `de`, and `pt` with `pt-BR`, in the order of what the person prefers. */
export function bestLanguage(preferred: readonly string[], available: readonly string[]): string {
  for (const wanted of preferred) {
    const found =
      available.find((one) => one.toLowerCase() === wanted.toLowerCase()) ??
      available.find((one) => base(one) === base(wanted));
    if (found !== undefined) return found;
  }
  return 'en';
}

/** How the person's regions write dates and numbers in this language: British English has another date. */
export function regionsOf(language: string, preferred: readonly string[]): string[] {
  return [...preferred.filter((wanted) => base(wanted) === base(language) && isTag(wanted)), language];
}

/** Some browsers list `en-US@posix`, which Intl throws at. */
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
